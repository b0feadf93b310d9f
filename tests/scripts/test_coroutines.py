"""scripts/checks/coroutines: each miscompiled form is found, and ordinary code is left alone."""
import unittest

from support import load_check

coroutines = load_check("coroutines")


def findings(body):
    return coroutines.check("awaitable<void> f() {\n" + body + "\n}\n")


BAD = {
    "condition of if": "if (co_await g()) x();",
    "condition of if, negated": "if (!co_await g()) x();",
    "initializer inside if": "if (auto n = co_await g(); n > 0) x();",
    "condition of else if": "if (a) b(); else if (co_await g()) c();",
    "condition of while": "while (co_await g()) {}",
    "condition of do while": "do { x(); } while (co_await g());",
    "header of for": "for (co_await g(); i < 3; ++i) {}",
    "range of for": "for (auto x : co_await g()) {}",
    "switch": "switch (co_await g()) { default: break; }",
    "and, right": "bool x = a && co_await g();",
    "and, left": "bool x = co_await g() && a;",
    "or": "co_return a || co_await g();",
    "in parentheses": "bool x = a && (1 < (co_await g()));",
    "not": "bool x = !co_await g();",
    "not, in parentheses": "bool x = !(co_await g());",
    "conditional operator": "int x = a ? co_await g() : 0;",
    "conditional operator, condition": "int x = co_await g() ? 1 : 0;",
    "capturing lambda": "co_await run([&] { return 1; });",
    "capturing lambda, nested": "co_await run(wrap([this](int i) { return i; }));",
    "awaited lambda": "co_await [x]() -> awaitable<void> { co_return; }();",
    "braced aggregate": "co_await send(request{1, 2});",
    "braced argument": "co_await send({1, 2});",
    "braced temporary of a template": "co_await send(std::array<int, 2>{1, 2});",
    "await inside a braced temporary": "auto x = pair{co_await g(), 1};",
    "two awaits": "int x = co_await g() + co_await h();",
    "nested awaits": "co_await g(co_await h());",
    "assertion macro": "REQUIRE(co_await g() == 1);",
    "inside a lambda's body": "spawn([]() -> awaitable<void> { if (co_await g()) x(); });",
    "inside a lambda's body without return type": "auto l = [&] { while (co_await g()) x(); };",
    "after a braced if": "if (a) { x(); } bool y = a && co_await g();",
    "inside try": "try { if (co_await g()) x(); } catch (...) {}",
    "inside case": "switch (a) { case 1: x = b && co_await g(); break; }",
}

GOOD = {
    "plain": "co_await g();",
    "bound": "auto x = co_await g(a, b);",
    "forwarding reference": "auto&& x = co_await g();",
    "branch of if": "if (a && !b) co_await g();",
    "block of if with braces in the condition": "if (a == key{1}) { co_await g(); }",
    "else": "if (a) x(); else co_await g();",
    "loop": "for (;;) { co_await g(); }",
    "loop without block": "while (a || b) co_await g();",
    "operators in the arguments": "co_await g(a && b, !c);",
    "operator in another argument": "h(co_await g(), a && b);",
    "return": "co_return co_await g();",
    "member call": "auto [a, b] = co_await client.send(request, timer);",
    "lambda without captures": "co_await run([](int i) { return i; });",
    "lambda named first": "auto l = [&] { return a && b; }; co_await run(l);",
    "coroutine lambda spawned": "co_spawn(c, [&]() -> awaitable<void> { co_await g(); }, done);",
    "brace before": "auto r = request{1}; co_await send(r);",
    "subscript": "co_await g(items[i]);",
    "case": "switch (a) { case kind::one: co_await g(); break; default: co_await h(); }",
    "comment": "// if (co_await g())\nco_await g();",
    "string": 'auto s = "if (co_await g())"; co_await g();',
    "raw string": 'auto s = R"(a && co_await ")"; co_await g();',
    "template arguments": "auto x = co_await g<int, true>(a);",
    "named brace initialization": "result<int> x{co_await g()};",
    "duration": "co_await sleep_for(std::chrono::milliseconds{5});",
    "digit separators": "auto n = 1'000'000; auto c = '{'; co_await g();",
}


class Coroutines(unittest.TestCase):
    def test_finds_each_miscompiled_form(self):
        for name, body in BAD.items():
            with self.subTest(name):
                self.assertTrue(findings(body), body)

    def test_leaves_ordinary_code_alone(self):
        for name, body in GOOD.items():
            with self.subTest(name):
                self.assertEqual(findings(body), [], body)

    def test_names_the_line(self):
        self.assertEqual(findings("x();\nif (co_await g()) y();")[0][0], 3)

    def test_a_preprocessor_line_hides_nothing(self):
        self.assertTrue(findings("#if defined(A) && \\\n  defined(B)\nif (co_await g()) y();\n#endif"))


if __name__ == "__main__":
    unittest.main()
