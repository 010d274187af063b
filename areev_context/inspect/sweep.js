
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("sweep").textContent);
  const slider = document.getElementById("budget");
  const cursors = document.querySelectorAll("svg line");
  const verbs = [
    ["enter", "enters", "enter"], ["grow", "grows", "grow"], ["shrink", "shrinks", "shrink"],
    ["change", "changes", "change"], ["leave", "leaves", "leave"],
  ];
  const [low, high] = [data.budgets[0], data.budgets[data.budgets.length - 1]];
  let last = null;

  // Every text of a hit goes in as text: nothing here parses HTML.
  const made = (tag, className, ...inside) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...inside);
    return element;
  };
  const number = (value) => value.toLocaleString("en-US");

  // Hit -> its texts as one key, and their length. A number of an entry counts to neither.
  const entries = (stop) => {
    const found = new Map();
    for (const [text, hit] of stop.spans) {
      if (hit === null) continue;
      const seen = found.get(hit) || { key: "", size: 0 };
      seen.key += `${text} `;
      seen.size += [].concat(data.texts[text]).join("").length;
      found.set(hit, seen);
    }
    return found;
  };

  const changes = (before, now) => {
    const found = new Map();
    for (const [hit, { key, size }] of now) {
      const old = before.get(hit);
      if (!old) found.set(hit, "enter");
      else if (old.key !== key) {
        found.set(hit, size > old.size ? "grow" : size < old.size ? "shrink" : "change");
      }
    }
    for (const hit of before.keys()) if (!now.has(hit)) found.set(hit, "leave");
    return found;
  };

  const described = (hit) => {
    const { label, type } = data.hits[hit];
    return [label || "", " ", made("small", "", type)];
  };

  const draw = (policy, n, root) => {
    const stop = policy.stops[n];
    const of = (name) => root.querySelector(`[data-of="${name}"]`);
    for (const name of ["tokens", "shown", "omitted", "withheld"]) {
      of(name).textContent = number(stop[name]);
    }
    const changed = last === null ? new Map()
      : changes(entries(policy.stops[last]), entries(stop));

    of("bar").style.width = `${100 * Math.max(stop.budget, stop.tokens) / Math.max(high, 1)}%`;
    of("bar").replaceChildren(...stop.room.filter(([, tokens]) => tokens).map(([name, tokens]) => {
      const part = made("i", data.colors[name]);
      part.style.flex = tokens;
      part.title = `${name}: ${number(tokens)} tokens`;
      return part;
    }));
    of("bar").setAttribute("aria-label", stop.room.map((share) => share.join(" ")).join(", "));
    of("legend").replaceChildren(...stop.room.map(([name, tokens]) => made(
      "li", "", made("i", `dot ${data.colors[name]}`), `${name} `, made("b", "", number(tokens)),
    )));

    of("text").replaceChildren(...stop.spans.map(([text, hit, color, shown]) => {
      const whole = [].concat(data.texts[text]).join(shown ?? "");
      if (hit === null) return document.createTextNode(whole);
      const kind = changed.get(hit);
      const entry = made("span", `${color} ${kind || ""}`, whole);
      entry.dataset.hit = hit;
      if (kind) entry.dataset.change = kind;
      entry.title = `hit ${hit}: ${data.hits[hit].type}`;
      return entry;
    }));

    const counted = verbs.map(([kind, one, many]) => {
      const count = [...changed.values()].filter((each) => each === kind).length;
      return count ? `${count} ${count === 1 ? one : many}` : "";
    }).filter(Boolean);
    of("changed").textContent = last === null ? "Move the slider: what changes is marked."
      : `${number(policy.stops[last].budget)} → ${number(stop.budget)}: `
        + (counted.join(", ") || "nothing changes");
    const order = verbs.map(([kind]) => kind);
    of("changes").replaceChildren(...[...changed]
      .sort(([, one], [, other]) => order.indexOf(one) - order.indexOf(other))
      .map(([hit, kind]) => made("li", kind, ...(kind === "leave"
        ? [made("s", "", ...described(hit))] : described(hit)))));
  };

  const show = () => {
    const n = Number(slider.value);
    if (n === last) return;
    const budget = data.budgets[n];
    document.getElementById("now").textContent = number(budget);
    slider.setAttribute("aria-valuetext", `${number(budget)} tokens`);
    const x = high > low ? 1000 * (budget - low) / (high - low) : 500;
    for (const cursor of cursors) {
      cursor.setAttribute("x1", x);
      cursor.setAttribute("x2", x);
    }
    data.policies.forEach((policy, at) => {
      draw(policy, n, document.getElementById(`p${at}`));
      for (const name of ["shown", "tokens"]) {
        document.getElementById(`${name}${at}`).textContent = number(policy.stops[n][name]);
      }
    });
    last = n;
  };

  slider.addEventListener("input", show);
  show();
})();
