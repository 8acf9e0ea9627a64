//! Queues of generated models: arrays with a count of messages, from which a loop removes one by moving those behind it.

use super::beyond::ONLY_HERE;
use super::model::{Constant, Generator, Kind};

/// A queue.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    kind: Kind,
    /// The number of the first place.
    first: i64,
    /// Whether free places are undefined.
    undefined: bool,
}

impl Queue {
    /// Returns the condition that a place holds a message.
    fn used(&self, place: &str) -> String {
        if self.first == 0 { format!("{place} < used") } else { format!("{place} <= used") }
    }

    /// Returns the condition that the next place holds a message, too.
    fn has_next(&self, place: &str) -> String {
        if self.first == 0 { format!("{place} < used - 1") } else { format!("{place} < used") }
    }

    /// Returns the place of the last message, or of the first one behind it.
    fn place(&self, behind: bool) -> &'static str {
        match (self.first, behind) {
            (0, true) => "used",
            (0, false) => "used - 1",
            (_, true) => "used + 1",
            (_, false) => "used",
        }
    }

    /// Returns the number of the last place.
    fn end(&self) -> &'static str {
        if self.first == 0 { "CAP - 1" } else { "CAP" }
    }
}

impl Generator {
    /// Declares a queue, and the constant that is its capacity.
    pub(super) fn queue(&mut self) -> Option<Constant> {
        if !self.dice.percent(14) {
            return None;
        }
        let capacity = self.dice.weighted(&[(3, 2), (3, 3), (1, 1)]);
        let kind = self.dice.weighted(&[(3, Kind::Boolean), (4, Kind::E), (2, Kind::P), (4, Kind::K)]);
        let first = i64::from(self.dice.percent(35));
        let places = if first == 0 { "0..CAP - 1" } else { "1..CAP" };
        let ty = self.type_of(kind);
        self.line(&format!("const CAP: {capacity};"));
        self.line(&format!("type PLACE: {places};"));
        self.line(&format!("var queue: array[PLACE] of {ty};"));
        self.line("var used: 0..CAP;");
        self.line(&format!("var last: {ty};"));
        self.add_place("used", Kind::K, false, true);
        self.add_place("last", kind, true, true);
        let undefined = self.dice.percent(60);
        self.queue = Some(Queue { kind, first, undefined });
        Some(Constant { name: "CAP", value: capacity })
    }

    /// Empties the queue in a startstate.
    pub(super) fn empty_queue(&mut self) {
        let Some(queue) = self.queue.clone() else { return };
        let value = self.initial(queue.kind);
        self.line("used := 0;");
        let all = self.places_of(&queue);
        if queue.undefined {
            self.line(&format!("for {all} do undefine queue[k]; end;"));
        } else {
            self.line(&format!("for {all} do queue[k] := {value}; end;"));
        }
    }

    /// Returns what a loop over all places runs over.
    fn places_of(&mut self, queue: &Queue) -> String {
        let (first, end) = (queue.first, queue.end());
        if self.dice.percent(60) {
            "k: PLACE".to_owned()
        } else if self.dice.percent(70) {
            format!("k := {first} to {end}")
        } else {
            format!("k := {end} to {first} by -1")
        }
    }

    /// Generates rules that send and receive messages.
    pub(super) fn queue_rules(&mut self) {
        let Some(queue) = self.queue.clone() else { return };
        for _ in 0..self.dice.weighted(&[(3, 1), (2, 2)]) {
            self.send(&queue);
        }
        self.receive(&queue);
        if self.dice.percent(30) {
            self.other_loop(&queue);
        }
    }

    /// Generates a loop over numbers that may be none. rumur runs it in the other direction then, or stops.
    fn numbers(&mut self, (from, to, by): (&str, &str, &str), body: &str) {
        let (low, high) = if by.is_empty() { (from, to) } else { (to, from) };
        let text = format!("for k := {from} to {to}{by} do {body} end;");
        if self.dice.percent(50) {
            self.line(&format!("if {low} <= {high} then {text} end;"));
        } else {
            self.line(&format!("{text} {ONLY_HERE}"));
        }
    }

    fn send(&mut self, queue: &Queue) {
        let scope = self.places.len();
        let parameter = self.dice.percent(40);
        if parameter {
            self.line(&format!("ruleset s: {} do", self.p.written));
            self.add_place("s", Kind::P, false, false);
        }
        let also = if self.dice.percent(40) { format!(" & {}", self.condition(1)) } else { String::new() };
        self.line(&format!("rule used < CAP{also} ==> begin"));
        let depth = u32::from(self.dice.percent(30));
        let value = self.value(queue.kind, depth);
        if self.dice.percent(20) {
            // A message that is put before all others.
            let (from, to) = if queue.first == 0 { ("CAP - 1", "1") } else { ("CAP", "2") };
            match self.dice.pick(3) {
                0 => {
                    self.line(&format!("for k := {from} to {to} by -1 do queue[k] := queue[k - 1]; end;"));
                }
                1 => {
                    let last = queue.place(true);
                    self.numbers((last, to, " by -1"), "queue[k] := queue[k - 1];");
                }
                _ => {
                    let begin = queue.first;
                    self.line(&format!("for k: PLACE do if k > {begin} then queue[k] := queue[k - 1]; end; end;"));
                }
            }
            self.line(&format!("queue[{}] := {value};", queue.first));
        } else {
            self.line(&format!("queue[{}] := {value};", queue.place(true)));
        }
        self.line("used := used + 1;");
        if self.dice.percent(20) {
            self.statement(1);
        }
        self.line("end;");
        if parameter {
            self.line("end;");
        }
        self.places.truncate(scope);
    }

    fn receive(&mut self, queue: &Queue) {
        let any = self.dice.percent(20);
        let also = if self.dice.percent(25) { format!(" & {}", self.condition(1)) } else { String::new() };
        let (has_next, first) = (queue.has_next("k"), queue.first);
        if any {
            self.line("ruleset r: PLACE do");
            self.line(&format!("rule {}{also} ==> begin", queue.used("r")));
            self.line("last := queue[r];");
        } else {
            self.line(&format!("rule used > 0{also} ==> begin"));
            self.line(&format!("last := queue[{first}];"));
        }
        let behind = if any { "k >= r & " } else { "" };
        let end = queue.end();
        let by = if self.dice.percent(8) { 2 } else { 1 };
        let emptied = self.dice.percent(60);
        match self.dice.pick(if any { 2 } else { 6 }) {
            0 => {
                let otherwise = if emptied && !any { "else undefine queue[k]; " } else { "" };
                let all = self.places_of(queue);
                self.line(&format!(
                    "for {all} do if {behind}{has_next} then queue[k] := queue[k + {by}]; {otherwise}end; end;"
                ));
            }
            1 => {
                let start = if any { "r" } else { &first.to_string() };
                let to = if first == 0 { "used - 2" } else { "used - 1" };
                self.numbers((start, to, ""), &format!("queue[k] := queue[k + {by}];"));
                if emptied {
                    self.line(&format!("undefine queue[{}];", queue.place(false)));
                }
            }
            2 => {
                self.line(&format!("for k := {first} to {end} - 1 do queue[k] := queue[k + 1]; end;"));
                if emptied {
                    self.line(&format!("undefine queue[{end}];"));
                }
            }
            3 => {
                // What is moved is overwritten by what was moved before.
                self.line(&format!("for k: PLACE do if k > {first} then queue[k] := queue[k - 1]; end; end;"));
            }
            4 => {
                let value = self.value(queue.kind, 0);
                let all = self.places_of(queue);
                self.line(&format!(
                    "for {all} do if k < {end} then queue[k] := queue[k + 1]; else queue[k] := {value}; end; end;"
                ));
            }
            _ => {
                let end = if first == 0 { "used - 1" } else { "used" };
                self.numbers((end, &(first + 1).to_string(), " by -1"), "queue[k - 1] := queue[k];");
            }
        }
        self.line("used := used - 1;");
        if self.dice.percent(20) {
            self.statement(1);
        }
        self.line("end;");
        if any {
            self.line("end;");
        }
    }

    /// Generates a rule with a loop that looks at neighbours without moving them.
    fn other_loop(&mut self, queue: &Queue) {
        let has_next = queue.has_next("k");
        let Some((flag, _)) = self.target(Some(Kind::Boolean)).filter(|(flag, _)| !flag.contains('[')) else { return };
        self.line("rule used > 1 ==> begin");
        match self.dice.pick(3) {
            0 => self.line(&format!(
                "for k: PLACE do if {has_next} & queue[k] != queue[k + 1] then {flag} := true; end; end;"
            )),
            1 => self.line(&format!("{flag} := exists k: PLACE do {has_next} & queue[k] = queue[k + 1] end;")),
            _ => self.line(&format!("{flag} := forall k: PLACE do {has_next} -> queue[k] = queue[k + 1] end;")),
        }
        self.line("end;");
    }

    /// Returns conditions about the queue.
    pub(super) fn queue_candidates(&mut self) -> Vec<String> {
        let Some(queue) = self.queue.clone() else { return Vec::new() };
        let used = queue.used("k");
        let mut about: Vec<String> = match queue.kind {
            Kind::Boolean => vec!["queue[k]".to_owned(), "!queue[k]".to_owned()],
            Kind::E => ["!= C", "= A", "!= B"].map(|rest| format!("queue[k] {rest}")).into(),
            Kind::K => ["< 2", "< 3", "= 0", "<= last + 1"].map(|rest| format!("queue[k] {rest}")).into(),
            Kind::P => vec!["queue[k] = last".to_owned()],
            Kind::Q | Kind::U | Kind::R | Kind::S | Kind::V | Kind::W => Vec::new(),
        };
        about.push("queue[k] != last".to_owned());
        let mut found: Vec<String> =
            about.iter().map(|text| format!("forall k: PLACE do {used} -> {text} end")).collect();
        found.push(format!("forall k: PLACE do ({used}) = !isundefined(queue[k]) end"));
        found.push(format!("forall k: PLACE do {} -> queue[k] = queue[k + 1] end", queue.has_next("k")));
        found.push(format!(
            "forall k: PLACE do forall l: PLACE do {} & {} & k != l -> queue[k] != queue[l] end end",
            queue.used("k"),
            queue.used("l")
        ));
        found.push(format!("used > 0 -> queue[{}] = last", queue.first));
        if queue.kind == Kind::E {
            found.push(format!("forall k: PLACE do {} & queue[k] = B -> queue[k + 1] = B end", queue.has_next("k")));
            found.push("last != C".to_owned());
        }
        // They are chosen as often as all others together.
        let again = found.clone();
        found.extend(again);
        found
    }
}
