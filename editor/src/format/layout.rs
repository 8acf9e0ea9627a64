//! Where the lines of a Murphi model start, and where its words have spaces between them.
//!
//! A line that starts something (a declaration, a rule, a statement, the end of a block) is indented as deep as its block is. A
//! line that goes on with what was started moves as far as the line where that started.

use murphi::syntax::KEYWORDS;

use super::pieces::{Kind, Line, Piece};
use super::visible;

/// Spaces of a level.
const STEP: usize = 2;

/// A block that is open.
#[derive(Clone, Copy, Debug)]
struct Block {
    kind: BlockKind,
    /// The indentation of the line that opens it.
    indent: usize,
    /// Whether statements are below a `case`.
    in_case: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockKind {
    /// `forall` or `exists`, within an expression.
    Quantifier,
    Switch,
    Other,
}

/// Lays out the lines of a model.
pub(super) fn laid_out(lines: &[Line<'_>]) -> String {
    let mut layout = Layout { fresh: true, ..Layout::default() };
    for line in visible(lines) {
        layout.line(line);
    }
    layout.comments(None);
    layout.text
}

#[derive(Default)]
struct Layout<'t> {
    text: String,
    blocks: Vec<Block>,
    brackets: usize,
    /// Whether a `const`, `type` or `var` section outside of blocks is open.
    section: bool,
    /// The indentation of the property whose condition is open.
    property: Option<usize>,
    /// Whether the labels of a `case` are open.
    label: bool,
    /// Whether the next word starts something.
    fresh: bool,
    /// The indentation of the line.
    indent: usize,
    /// How far the last line that started something was moved: where it was, and where it is.
    moved: (usize, usize),
    /// Lines of comments and empty lines, until it is known what follows.
    waiting: Vec<Line<'t>>,
    /// Where the comment at the end of the line before was, and where it is.
    aside: Option<(usize, usize)>,
    last: Option<Piece<'t>>,
}

impl<'t> Layout<'t> {
    fn line(&mut self, line: &Line<'t>) {
        let is_comment = line.pieces.iter().all(|piece| piece.kind == Kind::Comment);
        if let (true, Some((old, new))) = (is_comment, self.aside)
            && line.pieces.first().is_some_and(|piece| piece.column == old)
        {
            // It goes on with the comment behind the line before.
            return self.write(line, new);
        }
        self.aside = None;
        if is_comment {
            self.waiting.push(line.clone());
            return;
        }
        let first = line.pieces.iter().find(|piece| piece.kind != Kind::Comment).copied();
        let start = first.and_then(|first| self.start_of(&first));
        self.comments(Some((start, first.is_some_and(|first| closes(&first)))));
        if let Some(start) = start {
            self.moved = (line.indent, start);
        }
        self.indent = start.unwrap_or_else(|| self.shifted(line.indent));
        self.write(line, self.indent);
    }

    fn shifted(&self, indent: usize) -> usize {
        let (old, new) = self.moved;
        (indent + new).saturating_sub(old)
    }

    /// Writes the comments that wait for a line with this indentation, which may close a block.
    fn comments(&mut self, next: Option<(Option<usize>, bool)>) {
        for line in std::mem::take(&mut self.waiting) {
            let indent = match next {
                None => 0,
                Some((None, _)) => self.shifted(line.indent),
                Some((Some(_), true)) => self.statement(),
                Some((Some(start), false)) => start,
            };
            if line.pieces.is_empty() {
                self.text.push('\n');
            } else {
                self.write_pieces(&line, indent);
            }
        }
    }

    fn in_expression(&self) -> bool {
        self.brackets > 0 || self.blocks.last().is_some_and(|block| block.kind == BlockKind::Quantifier)
    }

    /// The indentation of what starts now.
    fn statement(&self) -> usize {
        match (self.property, self.blocks.last()) {
            (Some(indent), _) => indent + STEP,
            (None, Some(block)) => block.indent + STEP + if block.in_case { STEP } else { 0 },
            (None, None) if self.section => STEP,
            (None, None) => 0,
        }
    }

    /// The indentation of a line that starts with this word; none if it goes on with the line before.
    fn start_of(&self, first: &Piece<'_>) -> Option<usize> {
        if self.in_expression() {
            return None;
        }
        let word = first.text.to_ascii_lowercase();
        let block = self.blocks.last().copied();
        let own = block.map_or(0, |block| block.indent);
        let in_switch = if block.is_some_and(|block| block.kind == BlockKind::Switch) { STEP } else { 0 };
        match word.as_str() {
            "==>" | "\u{21d2}" | "begin" => Some(own),
            "else" | "elsif" | "case" => Some(own + in_switch),
            "const" | "type" | "var" => Some(own),
            word if is_keyword_end(word) => Some(own),
            word if self.blocks.is_empty() && self.fresh && starts_rules(word) => Some(0),
            _ => self.fresh.then(|| self.statement()),
        }
    }

    fn write(&mut self, line: &Line<'t>, indent: usize) {
        for piece in line.pieces.iter().filter(|piece| piece.kind != Kind::Comment) {
            self.take(piece);
        }
        let end = self.write_pieces(line, indent);
        let last = line.pieces.last();
        self.aside = last.filter(|last| last.kind == Kind::Comment).map(|last| (last.column, end));
    }

    /// Returns the column of the last piece.
    fn write_pieces(&mut self, line: &Line<'t>, indent: usize) -> usize {
        let mut written = " ".repeat(indent);
        let mut at = indent;
        let mut before: Option<(Option<&Piece<'t>>, &Piece<'t>)> = None;
        let mut is_label = false;
        for piece in &line.pieces {
            let ends_label = is_label && piece.text == ":";
            is_label = is_case(piece) || (is_label && !ends_label);
            if let Some((left, last)) = before {
                let needed = if ends_label { 0 } else { spaces(left, last, piece) };
                written.push_str(&" ".repeat(needed));
            }
            at = written.rsplit('\n').next().unwrap_or_default().chars().count();
            written.push_str(piece.text);
            before = Some((before.map(|(_, last)| last), piece));
        }
        self.text.push_str(written.trim_end());
        self.text.push('\n');
        at
    }

    /// Follows the blocks over a word.
    fn take(&mut self, piece: &Piece<'t>) {
        let word = piece.text.to_ascii_lowercase();
        let was_fresh = self.fresh;
        let in_expression = self.in_expression();
        self.fresh = false;
        match (piece.kind, word.as_str()) {
            (Kind::Symbol, "(" | "[" | "{") => self.brackets += 1,
            (Kind::Symbol, ")" | "]" | "}") => self.brackets = self.brackets.saturating_sub(1),
            (Kind::Symbol, ";") if !in_expression => {
                self.fresh = true;
                self.property = None;
            }
            (Kind::Symbol, ":") if self.label && !in_expression => {
                self.label = false;
                self.fresh = true;
            }
            (Kind::Symbol, "==>" | "\u{21d2}") => self.fresh = true,
            (Kind::Symbol, "\u{2200}" | "\u{2203}") => self.open(BlockKind::Quantifier),
            (Kind::Word, word) => self.word(word, was_fresh, in_expression),
            // The condition or the first statement comes after the name.
            (Kind::Text, _) => self.fresh = was_fresh && self.last.is_some_and(|last| has_name(&last)),
            (Kind::Symbol | Kind::Number | Kind::Comment, _) => {}
        }
        self.last = Some(*piece);
    }

    fn word(&mut self, word: &str, was_fresh: bool, in_expression: bool) {
        match word {
            "forall" | "exists" => self.open(BlockKind::Quantifier),
            // Within brackets, there is nothing else to close.
            word if is_keyword_end(word) => {
                let closed = self.blocks.pop();
                self.fresh = closed.is_none_or(|block| block.kind != BlockKind::Quantifier);
            }
            _ if self.brackets > 0 => {}
            "do" | "then" | "begin" => self.fresh = !in_expression,
            "else" => {
                if let Some(block) = self.blocks.last_mut().filter(|block| block.kind == BlockKind::Switch) {
                    block.in_case = true;
                }
                self.fresh = true;
            }
            "case" => {
                self.label = true;
                if let Some(block) = self.blocks.last_mut() {
                    block.in_case = true;
                }
            }
            "const" | "type" | "var" => {
                self.section = self.blocks.is_empty();
                self.fresh = true;
            }
            "switch" => self.open(BlockKind::Switch),
            "rule" | "startstate" => {
                self.section = false;
                self.open(BlockKind::Other);
                self.fresh = true;
            }
            "record" => {
                self.open(BlockKind::Other);
                self.fresh = true;
            }
            "ruleset" | "choose" | "alias" | "function" | "procedure" => {
                self.section = false;
                self.open(BlockKind::Other);
            }
            "for" | "if" | "while" => self.open(BlockKind::Other),
            "invariant" | "assume" | "cover" | "liveness" if was_fresh => {
                self.section = self.section && word != "invariant" && !self.blocks.is_empty();
                self.property = Some(self.indent);
                self.fresh = true;
            }
            _ => {}
        }
    }

    fn open(&mut self, kind: BlockKind) {
        self.blocks.push(Block { kind, indent: self.indent, in_case: false });
    }
}

/// Whether comments above a line with this word belong to the block that it closes or goes on with.
fn closes(piece: &Piece<'_>) -> bool {
    let word = piece.text.to_ascii_lowercase();
    is_keyword_end(&word) || ["else", "elsif", "case"].contains(&word.as_str())
}

fn is_keyword_end(word: &str) -> bool {
    word.starts_with("end") && KEYWORDS.contains(&word)
}

/// Whether a word ends a section of declarations.
fn starts_rules(word: &str) -> bool {
    const STARTS: [&str; 11] = [
        "rule",
        "ruleset",
        "startstate",
        "invariant",
        "assume",
        "cover",
        "liveness",
        "choose",
        "alias",
        "function",
        "procedure",
    ];
    STARTS.contains(&word)
}

/// Whether a string after this word is a name.
fn has_name(piece: &Piece<'_>) -> bool {
    const NAMED: [&str; 6] = ["rule", "startstate", "invariant", "assume", "cover", "liveness"];
    piece.kind == Kind::Word && NAMED.contains(&piece.text.to_ascii_lowercase().as_str())
}

/// The spaces between two pieces of a line. Where there are more than are needed, they stay: they may align something.
fn spaces(left: Option<&Piece<'_>>, last: &Piece<'_>, next: &Piece<'_>) -> usize {
    const AROUND: [&str; 22] = [
        ":=", "==>", "->", "=", "==", "!=", "<=", ">=", "<", ">", "&", "&&", "|", "||", "?", "+", "*", "/", "%", "<<",
        ">>", ":",
    ];
    let is = |piece: &Piece<'_>, symbols: &[&str]| piece.kind == Kind::Symbol && symbols.contains(&piece.text);
    if next.kind == Kind::Comment || last.kind == Kind::Comment {
        return next.gap.max(1);
    }
    if is(next, &[",", ";", ")", "]", "."]) || is(last, &["(", "[", "!", "."]) {
        return 0;
    }
    // `-` has an operand on its left, or is a sign.
    let is_operand = |piece: &Piece<'_>| match piece.kind {
        Kind::Word => !precedes_a_value(piece),
        Kind::Symbol => is(piece, &[")", "]"]),
        Kind::Number | Kind::Text | Kind::Comment => true,
    };
    let minus = |piece: &Piece<'_>| is(piece, &["-"]);
    if minus(last) && !left.is_some_and(is_operand) {
        return 0;
    }
    let needed = is(next, &AROUND) || is(last, &AROUND) || is(last, &[",", ";"]) || minus(next) || minus(last);
    next.gap.max(usize::from(needed))
}

/// Whether a value comes after this keyword.
fn precedes_a_value(piece: &Piece<'_>) -> bool {
    const WORDS: [&str; 14] = [
        "if",
        "elsif",
        "while",
        "switch",
        "case",
        "return",
        "to",
        "by",
        "do",
        "put",
        "rule",
        "assert",
        "invariant",
        "begin",
    ];
    WORDS.contains(&piece.text.to_ascii_lowercase().as_str())
}

fn is_case(piece: &Piece<'_>) -> bool {
    piece.kind == Kind::Word && piece.text.eq_ignore_ascii_case("case")
}
