//! Generates programs about numbers, and about elements that are compared and computed with.

#![allow(clippy::unwrap_used, reason = "it is a test")]

use std::fmt::Write;

/// Returns a program that the bytes determine; the constants `N` and `M` may have any values from 1.
pub(crate) fn program(bytes: &mut impl FnMut() -> u8) -> String {
    let mut generator = Generator { bytes, bound: 0, first: 0, nodes: Vec::new(), loops: 0 };
    generator.model()
}

struct Generator<'b, B> {
    bytes: &'b mut B,
    /// The number of bound variables so far.
    bound: u32,
    /// The least element of `NODE`, or none if that is a scalarset.
    first: i64,
    /// Variables that are elements.
    nodes: Vec<String>,
    /// The number of loops around the current place.
    loops: u32,
}

impl<B: FnMut() -> u8> Generator<'_, B> {
    fn below(&mut self, bound: u8) -> u8 {
        (self.bytes)() % bound
    }

    fn of(&mut self, items: &[&str]) -> String {
        let at = usize::from(self.below(u8::try_from(items.len()).unwrap()));
        items[at].to_owned()
    }

    fn model(&mut self) -> String {
        let node = self.of(&["1..N", "0..N - 1", "scalarset(N)", "1..N"]);
        self.first = if node == "1..N" { 1 } else { 0 };
        let symmetric = node == "scalarset(N)";
        if symmetric {
            self.first = i64::MIN;
        }
        let ticket = self.of(&["0..M", "-1..M", "0..M + 1", "0..M"]);
        let mut text = format!(
            "const N : 3; M : 3;\ntype NODE : {node}; TICKET : {ticket};\n\
             var x : TICKET; y : TICKET; at : NODE; num : array [NODE] of TICKET; on : array [NODE] of boolean;\n\
             ruleset h : NODE do startstate\n  at := h; x := 0; y := 1; for j : NODE do num[j] := 0; on[j] := false; end;\n\
             end; end;\n"
        );
        for rule in 0..3 {
            let (mut around, mut after) = (String::new(), String::new());
            self.nodes = vec!["at".to_owned()];
            if self.below(4) > 0 {
                around.push_str("ruleset i : NODE do ");
                after.push_str(" end;");
                self.nodes.push("i".to_owned());
            }
            let choice = self.below(3) == 0;
            if choice {
                around.push_str("ruleset t : TICKET do ");
                after.push_str(" end;");
            }
            let guard = self.condition(2, true);
            let guard = if choice { format!("t > {} & {guard}", self.number(1)) } else { guard };
            let mut body = String::new();
            for _ in 0..=self.below(2) {
                body.push_str(&self.statement(2));
            }
            let chosen = if choice { format!(" {} := t;", self.of(&["x", "y", "num[at]"])) } else { String::new() };
            let locals = "var m : TICKET; begin m := x; ";
            writeln!(text, "{around}rule \"r{rule}\" {guard} ==> {locals}{body}{chosen} end;{after}").unwrap();
        }
        self.nodes = vec!["at".to_owned()];
        let property = self.condition(2, true);
        writeln!(text, "invariant \"i\" {property};").unwrap();
        text
    }

    fn node(&mut self, depth: u8) -> String {
        let known = self.nodes.clone();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let own = self.of(&known);
        if self.first == i64::MIN || self.loops > 0 || depth == 0 {
            return own;
        }
        let (first, last) = if self.first == 1 { ("1", "N") } else { ("0", "N - 1") };
        match self.below(12) {
            0 => first.to_owned(),
            1 => last.to_owned(),
            2 => format!("{own} + 1"),
            3 => format!("{own} - 1"),
            4 if self.first == 1 => format!("({own} % N) + 1"),
            4 => format!("({own} + 1) % N"),
            5 => format!("({own} = {last} ? {first} : {own} + 1)"),
            6 => self.number(0),
            _ => own,
        }
    }

    fn number(&mut self, depth: u8) -> String {
        let own = match self.below(7) {
            0 => "x".to_owned(),
            1 => "y".to_owned(),
            2 => format!("num[{}]", self.node(0)),
            3 => self.below(3).to_string(),
            4 if self.first != i64::MIN => self.node(0),
            5 if depth > 0 => self.of(&["M", "M - 1"]),
            _ => "x".to_owned(),
        };
        match self.below(5) {
            0 if depth > 0 => format!("{own} + {}", self.below(3)),
            1 if depth > 0 => format!("{own} - 1"),
            2 if depth > 0 && self.loops == 0 => {
                let condition = self.condition(0, false);
                format!("({condition} ? {own} : {})", self.number(0))
            }
            _ => own,
        }
    }

    fn condition(&mut self, depth: u8, quantifiers: bool) -> String {
        let compare = ["<", "<=", ">", ">=", "=", "!="];
        match self.below(if depth > 0 { 10 } else { 4 }) {
            0 | 1 => format!("({} {} {})", self.number(1), self.of(&compare), self.number(1)),
            2 if self.first != i64::MIN => format!("({} {} {})", self.node(1), self.of(&compare), self.node(1)),
            2 => format!("({} {} {})", self.node(0), self.of(&["=", "!="]), self.node(0)),
            3 => format!("on[{}]", self.node(0)),
            4 => format!("!{}", self.condition(0, false)),
            5 | 6 => {
                let operator = self.of(&["&", "|", "->"]);
                format!("({} {operator} {})", self.condition(depth - 1, quantifiers), self.condition(depth - 1, false))
            }
            _ if quantifiers => {
                let bound = format!("q{}", self.bound);
                self.bound += 1;
                self.nodes.push(bound.clone());
                self.loops += 1;
                let body =
                    format!("{} {} {}", self.condition(0, false), self.of(&["&", "|"]), self.condition(0, false));
                self.loops -= 1;
                self.nodes.pop();
                format!("({} {bound} : NODE do {body} end)", self.of(&["forall", "exists"]))
            }
            _ => format!("({} = {})", self.number(1), self.number(1)),
        }
    }

    fn statement(&mut self, depth: u8) -> String {
        match self.below(if depth > 0 { 12 } else { 6 }) {
            0 => format!("x := {}; ", self.number(1)),
            1 => format!("y := {}; ", self.number(1)),
            2 => format!("num[{}] := {}; ", self.node(1), self.number(1)),
            3 => format!("on[{}] := {}; ", self.node(1), self.condition(0, false)),
            4 if self.loops == 0 => format!("at := {}; ", self.node(1)),
            5 => format!("{} := m; ", self.of(&["x", "y"])),
            6 | 7 => {
                let condition = self.condition(1, false);
                let (yes, no) = (self.statement(depth - 1), self.statement(depth - 1));
                format!("if {condition} then {yes}else {no}end; ")
            }
            8 | 9 if self.loops == 0 => {
                let bound = format!("l{}", self.bound);
                self.bound += 1;
                self.loops += 1;
                let value = self.number(1);
                let body = self.of(&["on", "num"]);
                let body = if body == "on" {
                    format!("on[{bound}] := {};", self.condition(0, false))
                } else {
                    format!("if num[{bound}] < {value} then num[{bound}] := {}; end;", self.number(1))
                };
                self.loops -= 1;
                format!("for {bound} : NODE do {body} end; ")
            }
            10 | 11 if self.loops == 0 => {
                let bound = format!("l{}", self.bound);
                self.bound += 1;
                let condition =
                    self.of(&["num[l] > m", "num[l] < m", "on[l] & num[l] >= m"]).replace("[l]", &format!("[{bound}]"));
                format!("for {bound} : NODE do if {condition} then m := num[{bound}]; end; end; ")
            }
            _ => format!("{} := {}; ", self.of(&["x", "y"]), self.number(0)),
        }
    }
}
