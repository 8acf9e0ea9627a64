//! A model that is open in an editor: what was found in it, its names, and what the last verdict says.

use std::collections::BTreeMap;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeLens, Command, CompletionItem, Diagnostic,
    DiagnosticRelatedInformation, DiagnosticSeverity, DocumentChanges, DocumentSymbol, FoldingRange, FoldingRangeKind,
    Hover, HoverContents, Location, MarkupContent, MarkupKind, NumberOrString, OneOf,
    OptionalVersionedTextDocumentIdentifier, Position, Range, SemanticToken, SemanticTokenModifier, SemanticTokenType,
    SemanticTokens, SemanticTokensLegend, SymbolKind, TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};
use serde_json::{Map, Value};
use system::System;
use system::front_end::{self, FrontEnd, Severity, Span};

use crate::completion::{comments, completions};
use crate::format::{FormatError, format};
use crate::lines::{Lines, number};
use crate::names::{Kind, Names};
use crate::repair::repair;
use crate::{Language, Reader, cubicle_names, murphi_names, verdict};

/// A model with everything that is known of it.
pub(crate) struct Document {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) language: Language,
    pub(crate) text: String,
    lines: Lines,
    names: Names,
    found: Vec<front_end::Diagnostic>,
    facts: Facts,
    /// What the last run of `verify` on this text said.
    pub(crate) summary: Option<Map<String, Value>>,
}

/// What lowering says of the model.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// What types became, and why.
    types: BTreeMap<String, Vec<String>>,
    /// What rules write, by the line of the rule.
    rules: BTreeMap<u32, Vec<String>>,
    /// Lines and names of rules.
    pub(crate) rule_lines: Vec<(u32, String)>,
    /// Lines and names of properties.
    pub(crate) properties: Vec<(u32, String)>,
}

impl Document {
    pub(crate) fn new(uri: Uri, version: i32, language: Language, text: String, read: Reader<'_>) -> Self {
        let names = match language {
            Language::Murphi => murphi_names::names(&text),
            Language::Cubicle => cubicle_names::names(&text),
        };
        let mut facts = Facts::default();
        let found = match read(language, &text) {
            Err(errors) => errors,
            Ok(model) => facts.take(&*model),
        };
        Self { uri, version, language, lines: Lines::new(&text), text, names, found, facts, summary: None }
    }

    /// Whether nothing keeps the model from being verified.
    pub(crate) fn can_be_verified(&self) -> bool {
        !self.facts.properties.is_empty()
            && self.found.iter().all(|found| found.severity != Severity::Error || found.code.starts_with('L'))
    }

    fn range(&self, span: Span) -> Range {
        self.lines.range(&self.text, span)
    }

    fn offset(&self, position: Position) -> u32 {
        number(self.lines.offset(&self.text, position))
    }

    fn location(&self, span: Span) -> Location {
        Location { uri: self.uri.clone(), range: self.range(span) }
    }

    /// What was found, and the violation that the last verdict tells of.
    pub(crate) fn diagnostics(&self) -> Vec<Diagnostic> {
        let line = |line| Location { uri: self.uri.clone(), range: self.lines.line(&self.text, line) };
        let violation = self.summary.as_ref().and_then(|summary| verdict::violation(summary, &line));
        self.found.iter().map(|found| self.diagnostic(found)).chain(violation).collect()
    }

    fn diagnostic(&self, found: &front_end::Diagnostic) -> Diagnostic {
        let place = found.labels.first().map(|label| label.span).unwrap_or_default();
        let related = found.labels.iter().skip(1).map(|label| DiagnosticRelatedInformation {
            location: self.location(label.span),
            message: label.text.clone(),
        });
        let help = found.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
        let severity = match found.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        };
        Diagnostic {
            range: self.range(place),
            severity: Some(severity),
            code: Some(NumberOrString::String(found.code.to_owned())),
            source: Some("paraproof".to_owned()),
            message: format!("{}{help}", found.message),
            related_information: Some(related.collect()),
            ..Diagnostic::default()
        }
    }

    /// Changes that repair what was found at a place.
    pub(crate) fn code_actions(&self, at: Range) -> Vec<CodeActionOrCommand> {
        let touches = |range: &Range| range.start <= at.end && at.start <= range.end;
        let actions = self.found.iter().filter_map(|found| {
            let repair = repair(found, &self.text)?;
            let diagnostic = self.diagnostic(found);
            if !touches(&diagnostic.range) {
                return None;
            }
            let edits = repair.parts.iter().map(|part| TextEdit::new(self.range(part.span), part.text.clone()));
            Some(CodeActionOrCommand::CodeAction(CodeAction {
                title: repair.title,
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![diagnostic]),
                edit: Some(self.edit(edits.collect())),
                is_preferred: Some(true),
                ..CodeAction::default()
            }))
        });
        actions.collect()
    }

    fn edit(&self, edits: Vec<TextEdit>) -> WorkspaceEdit {
        let text_document =
            OptionalVersionedTextDocumentIdentifier { uri: self.uri.clone(), version: Some(self.version) };
        let edits = edits.into_iter().map(OneOf::Left).collect();
        let changes = DocumentChanges::Edits(vec![TextDocumentEdit { text_document, edits }]);
        WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() }
    }

    pub(crate) fn hover(&self, at: Position) -> Option<Hover> {
        let offset = self.offset(at);
        let (span, lines) = self.hover_name(offset).or_else(|| self.hover_rule(offset))?;
        let contents = MarkupContent { kind: MarkupKind::Markdown, value: lines.join("\n\n") };
        Some(Hover { contents: HoverContents::Markup(contents), range: Some(self.range(span)) })
    }

    fn hover_name(&self, offset: u32) -> Option<(Span, Vec<String>)> {
        let (span, symbol) = self.names.at(offset)?;
        let symbol = &self.names.symbols[symbol];
        let block = format!("```{}\n{}\n```", self.language.id(), symbol.declaration);
        let of_type = (symbol.kind == Kind::Type).then(|| self.facts.types.get(&symbol.name)).flatten();
        let rule = (symbol.kind == Kind::Rule).then(|| self.rule(symbol.place)).flatten();
        let facts = of_type.into_iter().chain(rule).flatten().cloned();
        Some((span, std::iter::once(block).chain(facts).collect()))
    }

    /// On the first line of a rule: what it writes when it is lowered.
    fn hover_rule(&self, offset: u32) -> Option<(Span, Vec<String>)> {
        let on = |place: Span| place.start <= offset && offset <= place.end;
        let entry = self.names.outline.iter().find(|entry| entry.kind == Kind::Rule && on(entry.place))?;
        Some((entry.place, self.rule(entry.whole)?.clone()))
    }

    fn rule(&self, span: Span) -> Option<&Vec<String>> {
        self.facts.rules.get(&front_end::line_column(&self.text, span.start).0)
    }

    #[expect(deprecated, reason = "the field must be given")]
    pub(crate) fn symbols(&self) -> Vec<DocumentSymbol> {
        let symbol = |entry: &crate::names::Entry| DocumentSymbol {
            name: if entry.name.trim().is_empty() { "(no name)".to_owned() } else { entry.name.clone() },
            detail: None,
            kind: symbol_kind(entry.kind),
            tags: None,
            deprecated: None,
            range: self.range(entry.whole),
            selection_range: self.range(entry.place),
            children: None,
        };
        self.names.outline.iter().map(symbol).collect()
    }

    pub(crate) fn definition(&self, at: Position) -> Option<Location> {
        let (_, symbol) = self.names.at(self.offset(at))?;
        Some(self.location(self.names.symbols[symbol].place))
    }

    pub(crate) fn references(&self, at: Position, with_declaration: bool) -> Vec<Location> {
        let Some((_, symbol)) = self.names.at(self.offset(at)) else { return Vec::new() };
        let declared = self.names.symbols[symbol].place;
        let places = self.names.places(symbol).filter(|place| with_declaration || *place != declared);
        places.map(|place| self.location(place)).collect()
    }

    /// The place of the name that would be renamed.
    pub(crate) fn renamed(&self, at: Position) -> Option<Range> {
        self.names.at(self.offset(at)).map(|(place, _)| self.range(place))
    }

    /// Gives a symbol another name, if the text has no errors, so that all its places are known.
    pub(crate) fn rename(&self, at: Position, name: &str, read: Reader<'_>) -> Result<WorkspaceEdit, RenameError> {
        let (_, symbol) = self.names.at(self.offset(at)).ok_or(RenameError::NoName)?;
        let before = read(self.language, &self.text).map_err(|_| RenameError::Errors)?;
        let places: Vec<Span> = self.names.places(symbol).collect();
        let part = |span: &Span| front_end::Replacement { span: *span, text: name.to_owned() };
        let parts: Vec<front_end::Replacement> = places.iter().map(part).collect();
        let renamed = front_end::Replacement::apply(&parts, &self.text);
        // A name that is a keyword or taken is an error there, or means something else than before.
        let after = read(self.language, &renamed).map_err(|_| RenameError::BadName(name.to_owned()))?;
        if shape(&*before) != shape(&*after) {
            return Err(RenameError::Captured(name.to_owned()));
        }
        Ok(self.edit(places.iter().map(|place| TextEdit::new(self.range(*place), name.to_owned())).collect()))
    }

    /// The change that lays out the text.
    pub(crate) fn formatted(&self) -> Result<Vec<TextEdit>, FormatError> {
        let formatted = format(self.language, &self.text)?;
        let all = self.range(Span { start: 0, end: number(self.text.len()) });
        Ok(if formatted == self.text { Vec::new() } else { vec![TextEdit::new(all, formatted)] })
    }

    /// What can be written at a place.
    pub(crate) fn completions(&self, at: Position) -> Vec<CompletionItem> {
        completions(self.language, &self.text, self.lines.offset(&self.text, at))
    }

    /// The names, with what they denote. Of each, the place is given from the one before, and the kind by its position in
    /// [`legend`].
    pub(crate) fn tokens(&self) -> SemanticTokens {
        let (mut line, mut start) = (0, 0);
        let mut data = Vec::new();
        for (place, symbol) in self.names.all_places() {
            let range = self.range(place);
            let Some((token_type, token_modifiers_bitset)) = token_type(symbol.kind, place == symbol.place) else {
                continue;
            };
            if range.start.line != range.end.line {
                continue;
            }
            if range.start.line != line {
                start = 0;
            }
            data.push(SemanticToken {
                delta_line: range.start.line - line,
                delta_start: range.start.character - start,
                length: range.end.character - range.start.character,
                token_type,
                token_modifiers_bitset,
            });
            (line, start) = (range.start.line, range.start.character);
        }
        SemanticTokens { result_id: None, data }
    }

    /// What can be folded: declarations, rules and statements of several lines, and comments.
    pub(crate) fn folds(&self) -> Vec<FoldingRange> {
        let comments = comments(self.language, &self.text).into_iter().map(|span| (span, false, true));
        let outline = self.names.outline.iter().map(|entry| (entry.whole, entry.kind != Kind::Property, false));
        let inner = self.names.folds.iter().map(|(span, keeps_last)| (*span, *keeps_last, false));
        let mut folds: BTreeMap<u32, FoldingRange> = BTreeMap::new();
        for (span, keeps_last, is_comment) in comments.chain(outline).chain(inner) {
            let Range { start, end } = self.range(span);
            let ends = self.text[span.within(&self.text)].trim_end().ends_with(|c: char| c.is_alphabetic() || c == '}');
            let last = if keeps_last && ends { end.line.saturating_sub(1) } else { end.line };
            if last <= start.line {
                continue;
            }
            let kind = is_comment.then_some(FoldingRangeKind::Comment);
            let fold = FoldingRange { start_line: start.line, end_line: last, kind, ..FoldingRange::default() };
            let known = folds.entry(start.line).or_insert_with(|| fold.clone());
            if known.end_line < last {
                *known = fold;
            }
        }
        folds.into_values().collect()
    }

    /// Verdicts above the model, its properties and its rules.
    pub(crate) fn lenses(&self, is_running: bool) -> Vec<CodeLens> {
        let told = verdict::told(self.summary.as_ref(), is_running, &self.facts);
        let lens = |(line, title): (u32, String)| CodeLens {
            range: self.lines.line(&self.text, line),
            command: Some(Command { title, command: String::new(), arguments: None }),
            data: None,
        };
        told.into_iter().map(lens).collect()
    }
}

/// How many there are of everything in the lowered system, which no name has an influence on.
fn shape(model: &dyn FrontEnd) -> Option<Vec<usize>> {
    let system = model.lower().ok()?.system;
    let System { variables, rules, properties, constants, index_types, .. } = system;
    let literals = rules.iter().map(|rule| rule.updates.len());
    let counts = [variables.len(), rules.len(), properties.len(), constants.len(), index_types.len()];
    Some(counts.into_iter().chain(literals).collect())
}

/// Why a symbol does not get another name.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RenameError {
    #[error("there is no name here")]
    NoName,
    #[error("names can be changed when the model has no errors")]
    Errors,
    #[error("`{0}` cannot be a name here: it is a keyword, or it is taken")]
    BadName(String),
    #[error("`{0}` means something else already, so the model would not be the same")]
    Captured(String),
}

impl Facts {
    /// Takes what lowering says, and returns what was found in the model.
    fn take(&mut self, model: &dyn FrontEnd) -> Vec<front_end::Diagnostic> {
        let mut found = model.warnings();
        let lowered = match model.lower() {
            Ok(lowered) => lowered,
            Err(errors) => {
                found.extend(errors);
                return found;
            }
        };
        found.extend(lowered.refused_properties.iter().cloned());
        let system = lowered.system;
        for name in model.type_names() {
            let size = system.index_types.iter().find(|own| own.name == name);
            let size = size.map(|own| format!("Any number of elements; {} in the model.", own.size));
            let about = format!("`{name}` ");
            let notes = lowered.notes.iter().filter(|note| note.text.starts_with(&about));
            let notes = notes.map(|note| format!("{}.", note.text));
            let kept = system.claim.finite_types.iter().filter(|own| own.name == name);
            let kept = kept.map(|own| format!("Stays at its {} values: {}.", own.size, own.reason));
            let mut about: Vec<String> = size.into_iter().chain(kept).chain(notes).collect();
            if about.is_empty() {
                about.push("Stays as it is in the model.".to_owned());
            }
            self.types.insert(name.to_owned(), about);
        }
        for rule in &system.rules {
            let case = if rule.case.is_empty() { String::new() } else { format!(" [{}]", rule.case) };
            let written = rule.updates.iter().map(|update| system.variables[update.variable.index()].name.as_str());
            let writes = format!("`{}`{case} writes `{}`", rule.name, written.collect::<Vec<_>>().join("`, `"));
            let of_rule = self.rules.entry(rule.origin.line).or_default();
            if of_rule.is_empty() {
                self.rule_lines.push((rule.origin.line, rule.name.clone()));
            }
            of_rule.push(writes);
        }
        let stated = system.properties.iter().map(|own| (own.origin.line, own.name.clone()));
        self.properties.extend(stated);
        found
    }
}

/// The kinds of names that an editor can tell apart, and what it can know of a place.
pub(crate) fn legend() -> SemanticTokensLegend {
    let token_types = vec![
        SemanticTokenType::TYPE,
        SemanticTokenType::ENUM_MEMBER,
        SemanticTokenType::PROPERTY,
        SemanticTokenType::VARIABLE,
        SemanticTokenType::PARAMETER,
        SemanticTokenType::FUNCTION,
    ];
    let token_modifiers = vec![SemanticTokenModifier::DECLARATION, SemanticTokenModifier::READONLY];
    SemanticTokensLegend { token_types, token_modifiers }
}

/// The position of a kind in the legend, and the bits of its modifiers. The names of rules and properties are no words of the
/// model's text.
fn token_type(kind: Kind, is_declaration: bool) -> Option<(u32, u32)> {
    const READONLY: u32 = 2;
    let declaration = u32::from(is_declaration);
    match kind {
        Kind::Type => Some((0, declaration)),
        Kind::Value => Some((1, declaration | READONLY)),
        Kind::Field => Some((2, declaration)),
        Kind::Variable => Some((3, declaration)),
        Kind::Constant => Some((3, declaration | READONLY)),
        Kind::Local => Some((4, declaration)),
        Kind::Function => Some((5, declaration)),
        Kind::Rule | Kind::Startstate | Kind::Property => None,
    }
}

fn symbol_kind(kind: Kind) -> SymbolKind {
    match kind {
        Kind::Constant => SymbolKind::CONSTANT,
        Kind::Type => SymbolKind::ENUM,
        Kind::Value => SymbolKind::ENUM_MEMBER,
        Kind::Field => SymbolKind::FIELD,
        Kind::Variable | Kind::Local => SymbolKind::VARIABLE,
        Kind::Function => SymbolKind::FUNCTION,
        Kind::Rule => SymbolKind::EVENT,
        Kind::Startstate => SymbolKind::CONSTRUCTOR,
        Kind::Property => SymbolKind::BOOLEAN,
    }
}
