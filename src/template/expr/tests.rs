use minijinja::context;
use minijinja::value::Value;

use super::{Expr, TextTemplate, syntax};

/// Evaluates an expression.
fn expression(text: &str) -> Result<Value, String> {
    Expr::from(text.to_owned()).eval(names()).map_err(|error| error.to_string())
}

fn template(text: &str) -> Result<String, String> {
    TextTemplate::from(text.to_owned()).render(names()).map_err(|error| error.to_string())
}

fn names() -> Value {
    context! {
        n => 3,
        word => "word",
        big => "x".repeat(900_000),
        list => ["b", "a", "b"],
        people => [context! { who => "rob", age => 7 }, context! { who => "ann", age => 9 }],
    }
}

/// Converting a list to text writes it out, even if it contains another list a thousand times, and changing the case
/// of a long text reads all of it.
#[test]
fn long_values_are_not_read_a_thousand_times() {
    let nest = "{% set x = range(1000)|map(attribute='z', default=x)|list %}".repeat(4);
    for bomb in ["x|upper|length", "x|trim|length", "x is startingwith(x)", "x|replace('a', 'b')"] {
        let text = format!("{{% set x = 'a' %}}{nest}{{{{ {bomb} }}}}");
        assert!(template(&text).is_err(), "{bomb}");
    }
    for test in ["lower", "upper"] {
        let looked = format!(
            "{{% for i in range(100000) %}}{{% if big is {test} %}}{{% endif %}}{{% endfor %}}"
        );
        assert!(template(&looked).is_err(), "{test}");
    }
    let place = "{% for i in range(60000) %}{% if big[500000] %}{% endif %}{% endfor %}";
    assert!(template(place).is_err());
    let kept = "people|map(attribute='age', default='none')|list|length";
    assert_eq!(expression(kept).unwrap().to_string(), "2");
}

/// Values that would grow beyond the bound, made in every way that a template offers.
#[test]
fn no_value_grows_beyond_its_limit() {
    let chain = |operator: &str| vec!["big"; 40].join(operator);
    let bombs = [
        r#"big|replace("x", big)|length > 0"#.to_owned(),
        r#"big|replace("", big)"#.to_owned(),
        r#"range(100000)|join(big)"#.to_owned(),
        r#"range(100000)|list|join(", " ~ big)"#.to_owned(),
        r#"("%1000000000d"|format(1))|length"#.to_owned(),
        r#""%99999d"|format(1)"#.to_owned(),
        r#""%*d"|format(1000000000, 1)"#.to_owned(),
        r#"("%s" ~ "%s%s%s%s%s%s%s")|format(big, big, big, big, big, big, big, big)"#.to_owned(),
        r#""a" * 100000000"#.to_owned(),
        r#"("a", "b") * 100000000"#.to_owned(),
        "word * 100000000".to_owned(),
        "list * 100000000".to_owned(),
        "[1] * 1000000000".to_owned(),
        chain(" ~ "),
        chain(" + "),
        format!("[{}]|string", chain(", ")),
        format!("[{}]|map('upper')|list", chain(", ")),
        format!("[{}]|map('list')|map('list')|list", chain(", ")),
        format!("[{}]|map('replace', 'x', 'yy')|list", chain(", ")),
        r#"[big, big]|sum(start="")"#.to_owned(),
        r#"[big, big]|join"#.to_owned(),
        "big|min(attribute=big)".to_owned(),
        "range(100000)|map(attribute=big)|list".to_owned(),
        "range(100000)|select('in', range(100000)|list)|list".to_owned(),
        "range(100000)|map('in', range(100000)|list)|list".to_owned(),
        "big|trim(big)".to_owned(),
        "range(100000)|map(attribute='z', default=big)|sort|length".to_owned(),
        "range(100000)|map(attribute='z', default=big)|groupby('q')|length".to_owned(),
    ];
    for bomb in bombs {
        assert!(expression(&bomb).is_err(), "{:.100}", bomb);
    }
}

#[test]
fn variables_do_not_grow_from_line_to_line() {
    let lines = |first: &str, line: &str| format!("{first}{}{{{{ a }}}}", line.repeat(100));
    let bombs = [
        lines("{% set a = word %}", "{% set a = a ~ a %}"),
        lines("{% set a = word %}", "{% set a = a + a %}"),
        lines("{% set a = [word] %}", "{% set a = [a, a] %}"),
        lines("{% set a = [word] %}", "{% set a = (a, a) %}"),
        lines("{% set a = [word] %}", "{% set a = a + a %}"),
        lines("{% set a = word %}", r#"{% set a = {"b": a, "c": a} %}"#),
        lines("{% set a = list %}", "{% set a = [a] %}"),
        lines("{% set a = word %}", "{% set a = a|replace('o', a) %}"),
        lines("{% set a = list %}", "{% set a = [a, a]|map('join', big)|list %}"),
        format!("{{% for i in range(90) %}}{}{{% endfor %}}", "{{ big }}"),
        format!("{{% for i in range(1000) %}}{}{{% endfor %}}", "raw text ".repeat(1000)),
        "{% for i in range(90) %}{% for c in big %}{{ c }}{% endfor %}{% endfor %}".to_owned(),
        "{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}"
            .to_owned(),
        format!("{}{}", "{% for a in [word] %}".to_owned(), "{% for a in [a ~ a] %}".repeat(30))
            + "{{ a }}"
            + &"{% endfor %}".repeat(31),
        format!(
            "{}{{{{ a }}}}{}",
            "{% with a = (a or word) ~ (a or word) %}".repeat(30),
            "{% endwith %}".repeat(30)
        ),
    ];
    for bomb in bombs {
        assert!(template(&bomb).is_err(), "{:.100}", bomb);
    }
}

#[test]
fn long_comparisons_use_up_the_budget() {
    // Values that are equal but not identical.
    let twin = "{% set twin = big ~ '' %}{% set one = [n, big] %}{% set other = [n, twin] %}\
        {% set a = {'k': one} %}{% set b = {'k': other} %}";
    let times = |body: &str| format!("{twin}{{% for i in range(100000) %}}{body}{{% endfor %}}");
    let operators =
        ["==", "!=", "<", "<=", ">", ">="].map(|operator| format!("big {operator} twin"));
    let more = [
        "0 < n < big < twin",
        "'a' < big == twin",
        "big is eq(twin)",
        "big is lessthan(twin)",
        "big in other",
        "big not in other",
        "one == other",
        "one < other",
        "a == b",
        "a is ne(b)",
        "big in twin",
        "one|select('eq', twin)|list",
    ];
    let texts = operators.into_iter().chain(more.map(str::to_owned));
    let bombs = texts.map(|text| times(&format!("{{% if {text} %}}{{% endif %}}")));
    for bomb in bombs {
        let error = template(&bomb).unwrap_err();
        assert!(error.contains("takes too long"), "{bomb}: {error}");
    }
    let fine = "{% for i in range(9999) %}{% if big == word or [] == list or word < 'a' or big == n %}{% endif %}{% endfor %}";
    assert_eq!(template(fine).unwrap(), "");
}

/// The stack of a test thread is as large as that of the threads that read a folder.
#[test]
fn deep_nesting_never_overflows_the_stack() {
    for count in [140, 490, 990, 5_000, 50_000] {
        let many = |text: &str| text.repeat(count);
        let bombs = [
            format!("{}1", many("-")),
            format!("{}1", many("not ")),
            format!("1{}", many(".a")),
            format!("1{}", many("[0]")),
            format!("1{}", many("[:1]")),
            format!("1{}", many("|string")),
            format!("1{}", many(" is none")),
            format!("1{}", many(" ~ 1")),
            format!("1{}", many(" + n")),
            format!("1{}", many(" if 1 else 1")),
            format!("1{}", many(" if 1")),
            format!("1{}", many(" and n")),
            format!("1{}", many(" == 1")),
            format!("1{}", many(" ** 1")),
            format!("n{}", many("()")),
            format!("{}1{}", many("("), many(")")),
            format!("{}1{}", many("["), many("]")),
            format!("{}1{}", many("{1:"), many("}")),
            format!("{}1{}", many("range("), many(")")),
            many("-("),
            many("not ["),
        ];
        for bomb in &bombs {
            let result = expression(bomb);
            assert!(result.is_err() || count < 1_000, "{bomb:.60}");
            let _ = template(&format!("{{{{ {bomb} }}}}"));
        }
        let templates = [
            format!("{{% if 1 %}}{}{{% endif %}}", many("{% elif 1 %}")),
            format!("{}{}", many("{% if 1 %}"), many("{% endif %}")),
            format!("{}{}", many("{% for a in n %}"), many("{% endfor %}")),
            many("{% for a in n %}"),
            many("{{"),
            many("{%"),
            many("{#"),
        ];
        for bomb in templates {
            let result = template(&bomb);
            assert!(result.is_err() || count < 1_000, "{bomb:.60}");
        }
    }
}

#[test]
fn forbidden_constructs_are_named() {
    for (text, said) in [
        ("{% set ns = namespace(a=1) %}", "unknown function `namespace`"),
        ("{% set n.a = 1 %}", "`set` of an attribute"),
        ("{% set a %}x{% endset %}", "a `set` block"),
        ("{% filter upper %}x{% endfilter %}", "`filter` is not allowed"),
        ("{% for a in list recursive %}{{ loop(list) }}{% endfor %}", "a recursive `for`"),
        ("{% for a in list %}{{ loop(list) }}{% endfor %}", "unknown function `loop`"),
        ("{% macro m() %}x{% endmacro %}", "unknown statement macro"),
        ("{% include 'x' %}", "unknown statement include"),
        ("{{ word.upper() }}", "not methods"),
        ("{{ word|indnt }}", "unknown filter `indnt`"),
        ("{{ word|uper }}", "did you mean `upper`"),
        ("{{ list[::-1] }}", "`reverse` reverses"),
        ("{{ debug() }}", "unknown function `debug`"),
        ("{{ range(*list) }}", "are not allowed before an argument"),
        ("{{ list|map('pprint')|list }}", "unknown filter"),
    ] {
        let error = template(text).unwrap_err();
        assert!(error.contains(said), "{text}: {error}");
    }
}

/// Compares this project's operators and filters with the built-in ones.
#[test]
fn results_within_the_limits_equal_minijinja() {
    let mut plain = minijinja::Environment::new();
    plain.set_undefined_behavior(minijinja::UndefinedBehavior::SemiStrict);
    plain.set_syntax(syntax());
    for text in [
        "1 + 2",
        "1 + 2.5",
        "n + true",
        "9223372036854775807 + n",
        "n * 2.0",
        "n * n * -1",
        "2 ** 70 + n",
        "word + 'x'",
        "word ~ n ~ none ~ 1.5 ~ list ~ people",
        "list + [n]",
        "(n, word)",
        "'a' ~ ('b' if false)",
        "[n, [word], {'a': n}]",
        "{'k': [n], word: 2}",
        "list|join",
        "list|join(', ')",
        "people|join('; ', attribute='who')",
        "none|join",
        "word|replace('o', '00')",
        "word|replace('', '-')",
        "'%.2f %s %03d %%'|format(n, word, n)",
        "n|string",
        "list|string",
        "[1, 2.5]|sum",
        "people|sum(attribute='age')",
        "people|map(attribute='who')|sort|list",
        "list|unique|list",
        "people|groupby('who')|list",
        "people|selectattr('age', 'gt', 7)|map(attribute='who')|first",
        "list|map('upper')|join('-')",
        "range(n)|list",
        "word[1:]",
        "list[::2]",
        "missing_name|default('x')",
        "(ages ~ 'x') if false else 1 + 1",
        "n in [1, 2, 3] and word is startingwith('w')",
        "1 < n <= 3",
        "1 < n == 3 in [3] != 2",
        "3 >= n > 4 < none.absent",
        "[n == 3, n != 3, n < 3, n <= 3, n > 3, n >= 3, word < big, list == ['b', 'a', 'b']]",
        "[n is eq(3), word is ne(n), 2 is lt(n), {'a': 1} == {'a': 1.0}, {'a': 1} < {'b': 0}]",
        "(n, word) < (n, 'x') and none == none and none < 1 and absent is eq(absent)",
    ] {
        let wanted = plain.compile_expression(text).unwrap().eval(names()).unwrap();
        let found = expression(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(found, wanted, "{text}");
        assert_eq!(found.to_string(), wanted.to_string(), "{text}");
    }
    for text in [
        "a {{ n + 1 }} b\n{% for x in list %}\n- {{ loop.index }} {{ x }}\n{% endfor %}\nend {% raw %}{{ x }}{% endraw %}\n",
        "{% for p in people if p.age > 7 %}{{ p.who ~ '!' }}{% else %}none{% endfor %}.",
        "{% if n == 1 %}a{% elif n == 3 and not false %}b{{ word }}c{% else %}d{% endif %}e{{ none }}{{ true }}{{ list }}",
        "{% set a, b = [n, word] %}{{ a }}{{ b }}{% with c = a * 2 %}{{ c }}{% endwith %}",
    ] {
        let wanted = plain.render_str(text, names()).unwrap();
        assert_eq!(template(text).unwrap(), wanted, "{text}");
    }
    for text in [
        "absent ~ 'x'",
        "'x' ~ absent",
        "absent.a",
        "n + 'x'",
        "word + n",
        "none + 1",
        "absent == 1",
        "1 < absent",
        "1 < absent < 2",
        "absent in list",
    ] {
        assert!(plain.compile_expression(text).unwrap().eval(names()).is_err(), "{text}");
        assert!(expression(text).is_err(), "{text}");
    }
}

#[test]
fn docs_list_every_filter() {
    let mut names: Vec<&str> = super::bounds::filters().collect();
    names.sort_unstable();
    let list = names.join(" ");
    assert!(include_str!("../../../docs/patterns.md").contains(&format!("`{list}`")), "{list}");
}

#[test]
fn numbers_at_the_limits_are_errors_or_values() {
    let least = "(-170141183460469231731687303715884105728)";
    let edges = [
        "0",
        "-1",
        "1",
        "9223372036854775807",
        "(-9223372036854775808)",
        least,
        "0.0",
        "1e308",
        "true",
        "none",
    ];
    let forms = [
        "A is divisibleby(B)",
        "A % B",
        "A // B",
        "A / B",
        "A ** B",
        "A + B",
        "A - B",
        "A * B",
        "-A",
        "A|abs",
        "A|int",
        "A|round(B)",
        "[A, B]|sum",
        "[A, B]|sort",
        "[1, 2][A:B]",
        "[1, 2][::A]",
        "[1, 2][A:B:-1]|list",
        "''[::A]",
        "word[A:B:2]",
        "word[::A]",
        "range(A)|list",
        "range(A, B)|list",
        "range(A, B, A)|list",
        "range(A, 1, B)|list",
        "(1, 2)[::A]",
        "'%d %x %c'|format(A, B, A)",
        "'%.9f %5s'|format(A, B)",
        "A == B",
        "A < B",
        "A in [B]",
        "themes([], A)",
        "list|first == A",
        "{A: B}[A]",
        "list[A]",
        "A|float",
        "A|bool",
        "A|string ~ B",
        "A is odd",
        "people|sum(attribute=A)",
    ];
    for form in forms {
        for a in edges {
            for b in edges {
                let text = form.replace('A', a).replace('B', b);
                let _ = expression(&text).map(|value| value.to_string());
            }
        }
    }
}
