"""Parts of source and of data."""

# ruff: noqa: E501  (the lines of the texts are as long as they are)

from inspect import cleandoc
from textwrap import dedent

import pytest

from areev_context.text.parts import PartKind, parts_of
from text.part_pictures import assert_parts, kinds, picture, shown

PYTHON = cleandoc(
    '''
    """Invoices."""

    import csv
    from decimal import Decimal


    # Rates change each year.
    RATES = {
        "basic": Decimal("0.077"),
        "reduced": Decimal("0.025"),
    }


    @dataclass
    class Invoice:
        """An invoice with its lines."""

        number: str
        lines: list[Line]

        def total(self) -> Decimal:
            """Return the sum of the lines."""
            total = Decimal(0)
            for line in self.lines:
                if line.free:
                    continue
                elif line.reduced:
                    total += line.price * RATES["reduced"]
                else:
                    total += line.price * RATES["basic"]
            try:
                self.check(total)
            except ValueError:
                log.warning("odd total of %s", self.number)
            finally:
                self.seen = True
            return total

        @classmethod
        async def load(
            cls,
            path: str,
        ) -> Invoice:
            """Read an invoice from a file.

            The file has a line for each line of the invoice.
            """
            with open(path) as file:
                return cls(path, [Line(*row) for row in csv.reader(file)])


    def main() -> None:
        print(Invoice.load("one.csv"))
    '''
)
GO = dedent(
    """
    package store

    import (
    \t"fmt"
    \t"sync"
    )

    // Store keeps items by their name.
    type Store struct {
    \titems map[string]int
    \tmu    sync.Mutex
    }

    // Get returns the number of an item.
    // It locks the store while it reads.
    func (s *Store) Get(name string) (int, error) {
    \ts.mu.Lock()
    \tdefer s.mu.Unlock()
    \tif v, ok := s.items[name]; ok {
    \t\treturn v, nil
    \t}
    \treturn 0, fmt.Errorf("no item %q", name)
    }

    func (s *Store) Put(name string, count int) {
    \ts.mu.Lock()
    \ts.items[name] = count
    \ts.mu.Unlock()
    }
    """
).strip()
C = cleandoc(
    """
    static int
    read_all(FILE *f, char *buf, size_t n)
    {
        size_t got = 0;
    #ifdef DEBUG
        fprintf(stderr, "reading as much as there is\\n");
    #endif
        while (got < n) {
            size_t k = fread(buf + got, 1, n - got, f);
            if (k == 0)
                goto out;
            got += k;
        }
    out:
        return (int) got;
    }

    int main(void)
    {
        char buf[64];
        return read_all(stdin, buf, sizeof buf) > 0 ? 0 : 1;
    }

    /*
     * Closes what was opened.
     */
    void finish(FILE *f)
    {
        if (f != NULL) {
            fclose(f);
        }
    }
    """
)
RUBY = cleandoc(
    """
    module Shop
      class Cart
        attr_reader :items

        def initialize
          @items = []
        end

        # Adds an item, and says so in the log of the shop.
        def add(item)
          raise ArgumentError unless item
          @items << item
          self
        rescue StandardError => e
          warn e.message
        ensure
          log "added"
        end

        def total
          @items.sum do |item|
            item.price * item.count
          end
        end

        def empty?
          @items.empty? && @saved.empty? && !@locked
        end
      end
    end
    """
)
SQL = cleandoc(
    """
    CREATE TABLE users (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL
    );

    SELECT u.name, count(*) AS n
    FROM users u
    LEFT JOIN orders o ON o.user_id = u.id
    WHERE u.active
    GROUP BY u.name
    ORDER BY n DESC;
    UPDATE users
    SET active = false
    WHERE last_login < '2020-01-01';

    INSERT INTO users (id, name) VALUES
      (1, 'Anna'),
      (2, 'Bob'),
      (3, 'Cem');

    DELETE FROM orders
    WHERE user_id NOT IN (SELECT id FROM users)
      AND created < '2019-01-01';
    """
)


def texts(text: str, kind: str) -> list[str]:
    return [part for name, part, _ in picture(text) if name.rstrip("!") == kind]


@pytest.mark.parametrize(
    ("text", "words", "whole"),
    [
        (PYTHON, "RATES =", '# Rates change each year.\nRATES = {\n    "basic": Decimal("0.077"),\n'
         '    "reduced": Decimal("0.025"),\n}\n\n\n'),
        (PYTHON, "def main", 'def main() -> None:\n    print(Invoice.load("one.csv"))'),
        (PYTHON, "elif", "        for line in self.lines:\n            if line.free:\n"),
        (PYTHON, "except", "        try:\n            self.check(total)\n        except ValueError:\n"),
        (GO, "type Store", "// Store keeps items by their name.\ntype Store struct {\n"
         "\titems map[string]int\n\tmu    sync.Mutex\n}\n\n"),
        (GO, "Put", "func (s *Store) Put(name string, count int) {\n\ts.mu.Lock()\n"
         "\ts.items[name] = count\n\ts.mu.Unlock()\n}"),
        (C, "read_all(FILE", "static int\nread_all(FILE *f, char *buf, size_t n)\n{\n"),
        (C, "Closes", "/*\n * Closes what was opened.\n */\nvoid finish(FILE *f)\n{\n"),
        (RUBY, "rescue", "    # Adds an item, and says so in the log of the shop.\n    def add(item)\n"
         "      raise ArgumentError unless item\n"),
        (SQL, "LEFT JOIN", "SELECT u.name, count(*) AS n\nFROM users u\n"
         "LEFT JOIN orders o ON o.user_id = u.id\nWHERE u.active\n"),
        (SQL, "SET active", "UPDATE users\nSET active = false\nWHERE last_login"),
        (SQL, "NOT IN", "DELETE FROM orders\nWHERE user_id NOT IN (SELECT id FROM users)\n  AND"),
    ],
)  # fmt: skip
def test_a_statement_has_all_its_lines(text: str, words: str, whole: str) -> None:
    (found,) = (part for kind, part, _ in picture(text) if words in part and kind == "code")
    assert whole in found


def test_what_stands_in_a_class_comes_with_the_line_that_opens_it() -> None:
    assert (
        shown(PYTHON, "odd total")
        == cleandoc(
            """
        @dataclass
        class Invoice:
        …
            def total(self) -> Decimal:
        …
                try:
                    self.check(total)
                except ValueError:
                    log.warning("odd total of %s", self.number)
                finally:
                    self.seen = True
                return total
        """
        )
        + "\n\n"
    )
    assert shown(RUBY, "item.price") == cleandoc(
        """
        module Shop
          class Cart
        …
            def total
              @items.sum do |item|
                item.price * item.count
              end
            end

        …
          end
        end
        """
    )


def test_a_signature_of_several_lines_is_one_part() -> None:
    body = "".join(f"        step_{n}(path, again={n})\n" for n in range(30))
    text = (
        f"class A:\n    def load(\n        self,\n        path,\n    ):\n{body}\n    x: int = 1\n"
    )
    assert ("frame!", "    def load(\n        self,\n        path,\n    ):\n", (0,)) in picture(
        text
    )


def test_what_is_opened_needs_the_line_that_closes_it() -> None:
    body = "".join(f"  await store.save(item{n}, {{ force: true }});\n" for n in range(20))
    text = f'app.get("/items", async (req, res) => {{\n{body}  res.end();\n}});\n\nlisten();\n'
    assert shown(text, "item7,").startswith('app.get("/items", async (req, res) => {\n…\n')
    assert shown(text, "item7,").endswith("…\n});\n\n")
    parts = assert_parts(text)
    assert [parts[0].needs, parts[-2].needs] == [(len(parts) - 2,), ()]


def test_a_comment_and_a_brace_on_a_line_of_its_own_belong_to_their_function() -> None:
    functions = [
        f"/**\n * Returns {n} of them.\n */\nfunction get{n}(a, b) {{\n  return a + b + {n};\n}}\n\n"
        for n in range(9)
    ]
    assert texts("".join(functions), "code") == functions
    body = "".join(f"    step(path, {n}, again);\n" for n in range(30))
    text = f"int run(char *path)\n{{\n{body}}}\n\nint stop(void)\n{{\n    return 0;\n}}\n"
    assert kinds(text)[0] == "frame!"
    assert picture(text)[0][1] == "int run(char *path)\n{\n"
    assert shown(text, "path, 17,").startswith("int run(char *path)\n{\n…\n")


def test_an_else_needs_the_if_it_belongs_to() -> None:
    many = "".join(f"        do_something_with(item_{n})\n" for n in range(20))
    text = f"def f(x):\n    if x:\n{many}    else:\n{many.replace('item', 'other')}    return x\n"
    assert shown(text, "other_7)").startswith("def f(x):\n    if x:\n…\n    else:\n…\n")
    assert "else" not in shown(text, "item_7)")


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("return total\n\n    def name(self):\n        return 1\n\n\ndef other():\n    pass\n",
         "return total\n\n"),
        ("self.a = 1\n        self.b = 2\n    }\n\n    void f() {\n        g();\n    }\n}\n",
         "self.a = 1\n        self.b = 2\n    }\n\n    void f() {\n        g();\n    }\n}\n\n"),
        ("for x in y:\n            f(x)\n        return z\n\n    def g(self):\n        pass\n",
         "for x in y:\n            f(x)\n        return z\n\n"),
        ("if (a) {\n        b();\n    }\n    c();\n}\n\nfunction d() {\n    e();\n}\n",
         "if (a) {\n        b();\n    }\n    c();\n}\n\n"),
    ],
)  # fmt: skip
def test_a_text_that_begins_inside_a_function(text: str, first: str) -> None:
    long = text + "".join(f"\nfunction f{n}() {{\n    return g({n});\n}}\n" for n in range(12))
    assert kinds(long)[0] == "code"
    assert first.startswith(picture(long)[0][1])
    assert all("function d" not in part or part.startswith("function d") for _, part, _ in
               picture(long))  # fmt: skip


def test_a_comment_that_was_cut_at_its_beginning_is_one() -> None:
    many = "".join(f"\nfunction f{n}() {{\n    return g({n});\n}}\n" for n in range(12))
    text = f" * Returns one.\n *\n * @public\n */\n\nfunction one() {{\n    return 1;\n}}\n{many}"
    assert picture(text)[0][1] == " * Returns one.\n *\n * @public\n */\n\n"
    inside = f'the rest of a text\n    """\n    x = 1\n    return x\n{many}'
    assert kinds(inside)[0] == "code"


def test_strings_and_documents_of_several_lines_belong_to_their_statement() -> None:
    many = "".join(f"def f{n}():\n    return g({n})\n\n\n" for n in range(16))
    text = f'QUERY = """\nselect a\nfrom b\n"""\n\n\n{many}'
    assert picture(text)[0][1] == 'QUERY = """\nselect a\nfrom b\n"""\n\n\n'
    more = "".join(f"run_{n} --all\necho {n}\n\n" for n in range(30))
    here = f"cat <<EOF > conf\n[main]\nkey = value\nEOF\n\n{more}"
    assert picture(here)[0][1] == "cat <<EOF > conf\n[main]\nkey = value\nEOF\n\n"
    open_end = f"{many}def last():\n    '''An end\nthat never comes\n"
    assert picture(open_end)[-1][1].startswith("def last():\n    '''An end\n")


def test_a_long_comment_stands_for_itself() -> None:
    comment = "".join(f" * Line {n} of a comment that goes on for long.\n" for n in range(20))
    text = f"/**\n{comment} */\nfunction f() {{\n    return 1;\n}}\n"
    assert picture(text)[-1][1] == "function f() {\n    return 1;\n}\n"
    assert shown(text, "Line 7 ").startswith("/**\n…\n")


def test_a_line_of_source_without_an_end_is_cut_into_pieces() -> None:
    text = "x = 1\n" + "var a=function(b){return b+1};" * 60 + "\ny = 2\n"
    assert max(len(part) for _, part, _ in picture(text)) <= 490
    long = "def f():\n    x = [" + "1, " * 400 + "]\n    return x\n"
    assert "piece" in kinds(long)


@pytest.mark.parametrize(
    "text",
    [
        "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    main()\n"
        "ValueError: bad\n",
        "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,3 +1,4 @@\n import os\n-import re\n",
        "FROM python:3.12\nRUN pip install x\nCOPY . /app\nCMD [\"x\"]\n",
        ">>> 1 + 1\n2\n>>> f(2)\n3\n",
        "const a = 1;\nlet b = a + 2;\nexport default b;\n",
        "fn main() {\n    println!(\"x\");\n}\n",
        "# one\n# two\n# three\nx = 1\n",
        "$ npm install\n$ npm test\n",
    ],
)  # fmt: skip
def test_source_without_a_fence_is_code(text: str) -> None:
    assert kinds(text) == ["code"]


def test_the_name_of_a_file_says_that_it_is_source() -> None:
    text = "a line of words that are no source\nx = 1\nanother line of some words here\n"
    assert kinds(text, "notes.txt")[0] == "sentence"
    assert kinds(text, "billing/settings.py") == ["code"]
    assert kinds("some words here, and more\na: 1\nwords\n", "conf.yml") == ["data"]


YAML = cleandoc(
    """
    # The service
    apiVersion: v1
    kind: Service
    metadata:
      name: web
    spec:
      ports:
        - port: 80
          targetPort: 8080
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: api
      labels:
        app: api
    spec:
      replicas: 3
      template:
        spec:
          containers:
          - name: api
            image: registry.example/api:1.2.3
            args:
            - --listen=0.0.0.0:8080
            - --log=info
            env:
            - name: MODE
              value: production
            - name: TEXT
              value: |
                some text: that is none
              - of the keys
            resources:
              limits:
                memory: 512Mi
                cpu: 500m
              requests:
                memory: 128Mi
                cpu: 100m
            volumeMounts:
            - name: data
              mountPath: /data
            - name: settings
              mountPath: /etc/settings
          - name: sidecar
            image: registry.example/proxy:2.0
    """
)


def test_an_element_of_yaml_comes_with_the_keys_that_enclose_it() -> None:
    found = shown(YAML, "memory: 512Mi")
    assert "      containers:\n      - name: api\n" in found
    assert found.startswith("spec:\n…\n  template:\n    spec:\n")
    assert "  name: web" not in found
    assert "sidecar" not in found
    assert kinds(YAML)[0] == "data"


def test_what_names_a_document_counts_for_all_of_it() -> None:
    parts = parts_of(YAML)
    (last,) = (part for part in parts if "sidecar" in YAML[part.start : part.end])
    named = "".join(YAML[parts[n].start : parts[n].end] for n in last.context)
    assert "kind: Deployment" in named
    assert "name: api" in named
    assert "Service" not in named


def test_each_element_of_a_long_list_is_a_part() -> None:
    rows = [f'  {{\n    "id": {n},\n    "name": "User {n}"\n  }}' for n in range(20)]
    text = "[\n" + ",\n".join(rows) + "\n]\n"
    assert texts(text, "data")[3] == '  {\n    "id": 3,\n    "name": "User 3"\n  },\n'
    assert shown(text, '"User 3"') == f"[\n…\n{rows[3]},\n…\n]\n"
    cut = text[text.index('"name": "User 2"') : text.index('"name": "User 18"')]
    assert kinds(cut) == ["data"] * 17
    assert picture(cut)[0] == ("data", '"name": "User 2"\n  },\n', ())
    assert picture(cut)[1] == ("data", f"{rows[3]},\n", ())


def test_what_is_left_of_an_element_that_was_cut_is_one_part() -> None:
    fields = "".join(f'    "field_{n}": "the value of the field {n}",\n' for n in range(8))
    rest = f'{fields.strip()}\n    "last": 1\n  }},\n'
    text = rest + f'  {{\n{fields}    "id": 2\n  }},\n' * 3
    assert picture(text)[0] == ("data", rest, ())


def test_minified_json_is_read_by_its_brackets() -> None:
    rows = [f'{{"id":{n},"name":"User, [{n}]","roles":["a","b"]}}' for n in range(20)]
    text = '{"users":[' + ",".join(rows) + '],"total":20}'
    assert texts(text, "data") == [f"{row}," for row in rows[:-1]] + [rows[-1], '"total":20']
    assert shown(text, "User, [3]").replace("…\n", "…") == f'{{"users":[…{rows[3]},…],…}}'
    cut = text[text.index("User, [3]") : -30]
    assert rows[4] + "," in texts(cut, "data")
    numbers = "[" + ",".join(str(n) for n in range(400)) + "]"
    assert max(len(part) for part in texts(numbers, "data")) <= 170
    lines = (
        '{"a": [' + ", ".join(f'"{"x" * 30}{n}"' for n in range(20)) + '],\n  "b": {"c": 1}\n}\n'
    )
    assert '  "b": {"c": 1}\n' in texts(lines, "data")


def test_xml_is_nested_in_its_tags() -> None:
    many = "".join(
        f"    <dependency>\n      <id>lib{n}</id>\n      <version>{n}</version>\n    </dependency>\n"
        for n in range(12)
    )
    text = (
        f'<?xml version="1.0"?>\n<project>\n  <name>x</name>\n  <all>\n{many}  </all>\n</project>\n'
    )
    assert shown(text, "<id>lib7") == (
        "<project>\n…\n  <all>\n…\n    <dependency>\n      <id>lib7</id>\n"
        "      <version>7</version>\n    </dependency>\n…\n  </all>\n</project>\n"
    )


def test_a_setting_comes_with_its_section() -> None:
    many = "".join(f"option_{n} = value of the option\n" for n in range(24))
    text = (
        f"; main settings\n[server]\nhost = a.example\n{many}\n"
        f"# of the client\n\n[client]\nretries = 3\n[[more.items]]\nlist = [\n  1,\n]\n{many}"
    )
    assert shown(text, "retries = 3") == "[client]\nretries = 3\n"
    assert shown(text, "host = a").startswith("; main settings\n[server]\nhost = a.example\n")
    env = "DATABASE_URL=postgres://x\nDEBUG=false\n# a comment\nexport API_KEY=abc\n"
    assert kinds(env) == ["data"]
    assert kinds("server.port=80\nserver.host=x\n") == ["data"]


def test_the_parts_of_source_are_of_no_other_kind() -> None:
    for text in (PYTHON, GO, C, RUBY, SQL):
        assert {part.kind for part in assert_parts(text)} <= {
            PartKind.CODE, PartKind.FRAME, PartKind.PIECE,
        }  # fmt: skip


def test_text_in_yaml_belongs_to_its_key() -> None:
    words = "".join(f"      - line {n}: of a text, no key\n\n" for n in range(6))
    keys = "".join(f"  key_{n}: value number {n}\n" for n in range(20))
    text = f"config:\n  script: |\n{words}  other: >-\n      some text\n{keys}"
    assert ("data", f"  script: |\n{words}", (0,)) in picture(text)
    assert ("data", "  other: >-\n      some text\n", (0,)) in picture(text)


def test_a_comment_above_a_section_belongs_to_it() -> None:
    many = "".join(f"option_{n} = value of the option\n" for n in range(20))
    text = (
        f"[one]\n{many}; of one\n; still\nlast = 1\n\n; of two\n; and so on\n[two]\na = 1\n{many}"
    )
    assert shown(text, "a = 1").startswith("; of two\n; and so on\n[two]\na = 1\n")
    assert "; of one\n; still\nlast = 1\n" in shown(text, "last = 1")
    comments = "".join(f"; comment {n}\n" for n in range(12))
    assert "; comment 1\n" not in shown(f"{comments}[one]\n{many}[two]\nb = 2\n", "b = 2")


def test_a_function_that_is_mostly_text_is_source() -> None:
    prose = "".join(
        f"    It does its thing, and then it does the thing number {n}.\n" for n in range(8)
    )
    text = f'def f(a):\n    """Do it.\n\n{prose}    """\n    x = a\n    return x\n\n\ny = f(1)\n'
    assert kinds(text)[0] in {"code", "frame!"}
    assert shown(text, "number 3").startswith('def f(a):\n    """Do it.\n')
    assert shown(text, "number 3").endswith('…\n    """\n')
    assert kinds("Some words of prose.\n" * 3 + "x = 1\n" * 2)[0] == "sentence"


def test_brackets_that_hold_nothing_or_end_in_the_middle() -> None:
    rows = ",".join(f'{{"id":{n},"tags":[],"more":{{}}}}' for n in range(30))
    assert picture(f'[{rows},{{"id":')[-1][1] == '{"id":'
    assert picture(f"[{rows},  31")[-1][1] == "31"
    assert picture(f"[{rows}, ")[-1][1].endswith(", ")
    assert kinds(f"[\n{rows}\n]\n\n\n")[-1] == "frame!"
    assert picture(f'{{"a": [\n{rows}\n  ]\n}}')[-2:] == [
        ("frame!", "  ]\n", (0,)),
        ("frame!", "}", ()),
    ]
