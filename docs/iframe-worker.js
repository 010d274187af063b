// The search of this site runs in a worker, which a browser refuses to a page opened from a disk.
// There a hidden frame takes its place; the theme's worker looks for the name IFrameWorker.
if (location.protocol === "file:") {
  class IFrameWorker extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.ready = new Promise((resolve) => {
        // at once in some browsers, later in others, which replace the empty page until then
        this.frame.onload = () => {
          const inside = this.frame.contentWindow;
          inside.postMessage = (data) => {
            this.dispatchEvent(new MessageEvent("message", { data }));
          };
          const script = inside.document.createElement("script");
          script.src = url;
          script.onload = resolve;
          inside.document.head.appendChild(script);
        };
      });
      document.body.appendChild(this.frame);
    }

    postMessage(data) {
      this.ready.then(() => {
        this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
      });
    }

    terminate() {
      this.frame.remove();
    }
  }
  window.IFrameWorker = IFrameWorker;
  window.Worker = IFrameWorker;
}
