//! The types, names and designators of the abstract model.
//!
//! Names are those of the original model; a name that cannot be kept is replaced by another.

use std::collections::BTreeSet;

use system::definedness::Definedness;
use system::front_end::{Declarations, DeclaredKind, DeclaredTypeId};
use system::notation::{Expression, Notation};
use system::{ConstantId, IndexTypeId, NamedId, PathStep, Property, System, Variable, VariableId};

use super::symbolic::{Datum, Element};
use super::{Refusal, Style};

/// How an index type appears in the abstract model.
#[derive(Clone, Debug)]
pub(crate) struct ShownType {
    /// Whether elements are left out; else it stays as it is.
    pub(crate) abstracted: bool,
    /// The type of the elements that are shown.
    pub(crate) name: String,
    /// The type of pointers: the elements that are shown, and the one that stands for all others.
    pub(crate) pointer: String,
    /// The element that stands for all others.
    pub(crate) other: String,
    /// Values of state variables: pointers, and, where one may be undefined, a value for that.
    pub(crate) value: String,
    /// What an undefined pointer is, where there is one. CMurphi is not to be asked in a guard whether something is
    /// undefined: it may crash then.
    pub(crate) nobody: Option<String>,
    /// The elements without a name that are shown.
    pub(crate) shown: u32,
    /// The number of the first element.
    pub(crate) first: i64,
    /// The named elements, in the order of their numbers.
    pub(crate) named: Vec<String>,
}

impl ShownType {
    /// The number of an undefined pointer.
    pub(crate) fn nobody_number(&self) -> i64 {
        self.other_number() + 1
    }

    /// The number of the element that stands for all others.
    pub(crate) fn other_number(&self) -> i64 {
        let named = i64::try_from(self.named.len()).expect("a list of names is short");
        self.first + named + i64::from(self.shown)
    }
}

/// The frame of an abstract model.
pub(crate) struct Space<'a> {
    pub(crate) system: &'a System,
    declarations: &'a Declarations,
    pub(crate) style: Style,
    pub(crate) types: Vec<ShownType>,
    named: Vec<String>,
    pub(crate) notation: Notation<'a>,
    definedness: Definedness,
    undefined: Option<ConstantId>,
    /// The type of each state variable in the program.
    value_types: Vec<DeclaredTypeId>,
    /// Names that nothing else may have.
    pub(crate) taken: BTreeSet<String>,
}

impl<'a> Space<'a> {
    pub(crate) fn new(
        system: &'a System,
        declarations: &'a Declarations,
        shown: u32,
        style: Style,
    ) -> Result<Self, Refusal> {
        let mut taken = taken(system, declarations);
        let abstracted = abstracted(system);
        if !abstracted.contains(&true) {
            return Err(Refusal::NothingToAbstract);
        }
        if let Some(scalarset) = system.constants.iter().find_map(|constant| constant.scalarset.clone()) {
            return Err(Refusal::NamelessElements { scalarset });
        }
        let there_is = |property: &&Property| property.bad.iter().any(|cube| !cube.universals.is_empty());
        if let Some(property) = system.properties.iter().find(there_is) {
            return Err(Refusal::ThereIs { property: property.name.clone() });
        }
        if let Some(axiom) = system.axioms.iter().find(|axiom| system.is_about_guard(axiom)) {
            return Err(Refusal::ExistsBelowForall { line: axiom.origin.line });
        }
        let is_number = |variable: &&Variable| system.sorts[variable.sort.index()].numbers.is_some();
        if let Some(variable) = system.variables.iter().find(is_number) {
            return Err(Refusal::Number { variable: variable.name.clone(), line: variable.origin.line });
        }
        if let Some(variable) = system.variables.iter().find(|variable| variable.path.contains(&PathStep::Multiset)) {
            return Err(Refusal::Multiset { variable: variable.name.clone() });
        }
        let alone = abstracted.iter().filter(|yes| **yes).count() == 1;
        let named = named_texts(system, &mut taken);
        let definedness = Definedness::of(system);
        let undefined = system.constants.iter().position(|constant| constant.name == "undefined");
        let undefined = undefined.map(|position| ConstantId(u32::try_from(position).expect("a table is short")));
        let undefined_pointers = undefined_pointers(system, &definedness, undefined);
        let mut types = Vec::new();
        for (position, index_type) in system.index_types.iter().enumerate() {
            let name = if is_identifier(&index_type.name) {
                index_type.name.clone()
            } else {
                fresh(&mut taken, &format!("INDEX{position}"))
            };
            let mut own: Vec<(u32, String)> = system
                .named
                .iter()
                .zip(&named)
                .filter(|(element, _)| element.index_type.index() == position)
                .map(|(element, text)| (element.position, text.clone()))
                .collect();
            own.sort();
            let other = if alone { "Other".to_owned() } else { format!("Other_{name}") };
            let is_abstracted = abstracted[position];
            let pointer = if is_abstracted { fresh(&mut taken, &format!("ABS_{name}")) } else { name.clone() };
            let doubtful = is_abstracted && undefined_pointers[position];
            let nobody = if alone { "Nobody".to_owned() } else { format!("Nobody_{name}") };
            types.push(ShownType {
                abstracted: is_abstracted,
                value: if doubtful { fresh(&mut taken, &format!("OPT_{name}")) } else { pointer.clone() },
                nobody: doubtful.then(|| fresh(&mut taken, &nobody)),
                pointer,
                other: if is_abstracted { fresh(&mut taken, &other) } else { String::new() },
                name,
                shown,
                first: index_type.first,
                named: own.into_iter().map(|(_, text)| text).collect(),
            });
        }
        let value_types = system.variables.iter().map(|variable| value_type(declarations, &variable.path)).collect();
        let notation = Notation::new(system);
        let space =
            Self { system, declarations, style, types, named, notation, definedness, undefined, value_types, taken };
        space.refuse_mixed_sorts()?;
        Ok(space)
    }

    /// The same, written in another style.
    pub(crate) fn in_style(&self, style: Style) -> Result<Self, Refusal> {
        let shown = self.types.first().map_or(0, |over| over.shown);
        Self::new(self.system, self.declarations, shown, style)
    }

    /// The same for text that is added to the original: an undefined pointer has no name there, and elements have the names that
    /// the original gives them.
    pub(crate) fn of_original(&self) -> Result<Self, Refusal> {
        let mut space = self.in_style(self.style)?;
        space.named =
            (0..).map(NamedId).take(self.system.named.len()).map(|id| self.system.written_element(id)).collect();
        for (over, shown) in (0..).map(IndexTypeId).zip(&mut space.types) {
            shown.name = self.system.written_type(over);
            shown.nobody = None;
            for name in &mut shown.named {
                if let Some(position) = self.named.iter().position(|known| known == name) {
                    name.clone_from(&space.named[position]);
                }
            }
        }
        Ok(space)
    }

    /// A pointer that is an element or something else has no range of values.
    fn refuse_mixed_sorts(&self) -> Result<(), Refusal> {
        for (position, variable) in self.system.variables.iter().enumerate() {
            let sort = &self.system.sorts[variable.sort.index()];
            let abstracted = sort.index_types.iter().any(|over| self.types[over.index()].abstracted);
            let others = sort.constants.iter().any(|constant| Some(*constant) != self.undefined);
            if abstracted && (sort.index_types.len() > 1 || others) {
                let variable = &self.system.variables[position];
                return Err(Refusal::MixedSort { variable: variable.name.clone(), line: variable.origin.line });
            }
        }
        Ok(())
    }

    pub(crate) fn type_of(&self, index_type: IndexTypeId) -> &ShownType {
        &self.types[index_type.index()]
    }

    /// A name like the wanted one that nothing has yet, neither in the model nor among `used`.
    pub(crate) fn free_name(&self, wanted: &str, used: &mut BTreeSet<String>) -> String {
        let mut name = wanted.to_owned();
        let mut number = 1;
        while self.taken.contains(&name) || used.contains(&name) {
            number += 1;
            name = format!("{wanted}{number}");
        }
        used.insert(name.clone());
        name
    }

    /// The index type that a state variable points into, where elements of it are left out.
    pub(crate) fn points_into(&self, variable: VariableId) -> Option<IndexTypeId> {
        let sort = self.system.sort_of(variable);
        sort.index_types.iter().copied().find(|over| self.type_of(*over).abstracted)
    }

    /// Whether a state variable may be undefined without that being a value in the system.
    pub(crate) fn may_be_undefined(&self, variable: VariableId) -> bool {
        self.definedness.may_be_undefined(variable)
    }

    /// Whether being undefined is one of the values of a state variable.
    pub(crate) fn tracks_undefined(&self, variable: VariableId) -> bool {
        self.undefined.is_some_and(|undefined| self.system.sort_of(variable).constants.contains(&undefined))
    }

    /// That a state variable, written like this, is undefined.
    pub(crate) fn undefined_test(&self, variable: VariableId, read: Expression) -> Expression {
        match self.nobody(variable) {
            Some(nobody) => Expression::equation(read, true, Expression::name(nobody)),
            None => Expression::IsUndefined(Box::new(read)),
        }
    }

    /// That it is defined.
    pub(crate) fn defined_test(&self, variable: VariableId, read: Expression) -> Expression {
        match self.nobody(variable) {
            Some(nobody) => Expression::equation(read, false, Expression::name(nobody)),
            None => Expression::Not(Box::new(Expression::IsUndefined(Box::new(read)))),
        }
    }

    /// The value of the variable that stands for being undefined, where it is a pointer.
    pub(crate) fn nobody(&self, variable: VariableId) -> Option<&str> {
        self.points_into(variable).and_then(|over| self.type_of(over).nobody.as_deref())
    }

    pub(crate) fn is_undefined(&self, datum: &Datum) -> bool {
        matches!(datum, Datum::Constant(constant) if Some(*constant) == self.undefined)
    }

    pub(crate) fn constant(&self, constant: ConstantId) -> Expression {
        Expression::name(&self.system.constants[constant.index()].name)
    }

    /// An element as a value.
    pub(crate) fn element(&self, element: &Element) -> Expression {
        Expression::name(match element {
            Element::Named(named) => &self.named[named.index()],
            Element::Shown(name) => name,
            Element::Other(index_type, _) => &self.type_of(*index_type).other,
            Element::Generic => unreachable!("a generic element is only used to see what an update does to others"),
        })
    }

    /// A state variable at elements that are shown.
    pub(crate) fn read(&self, variable: VariableId, arguments: &[Element]) -> Expression {
        let arguments: Vec<Expression> = arguments.iter().map(|element| self.element(element)).collect();
        self.notation.read(variable, &arguments)
    }

    /// A state variable at any elements, for people.
    pub(crate) fn told(&self, datum: &Datum) -> String {
        match datum {
            Datum::Constant(constant) => self.constant(*constant).to_string(),
            Datum::Zero => "0".to_owned(),
            Datum::Index(element) => self.element(element).to_string(),
            Datum::Read(variable, arguments) => self.read(*variable, arguments).to_string(),
        }
    }

    /// A short name for a state variable: its path without indices.
    pub(crate) fn short_name(&self, variable: VariableId) -> String {
        let steps = self.system.variables[variable.index()].path.iter().filter_map(|step| match step {
            PathStep::Global(name) | PathStep::Field(name) => Some(name.as_str()),
            PathStep::Element(_)
            | PathStep::Argument(_)
            | PathStep::Multiset
            | PathStep::Rank
            | PathStep::Number(_)
            | PathStep::Holds(_)
            | PathStep::Count(..)
            | PathStep::Half(..)
            | PathStep::Next(..) => None,
        });
        steps.collect::<Vec<_>>().join("_")
    }

    /// The type of the values of a state variable.
    pub(crate) fn value_type_text(&self, variable: VariableId) -> String {
        self.type_text(self.value_types[variable.index()], Position::Value)
    }

    /// The type of a value that is chosen for a state variable.
    pub(crate) fn choice_type_text(&self, variable: VariableId) -> String {
        match self.points_into(variable) {
            Some(over) => self.type_of(over).pointer.clone(),
            None => self.value_type_text(variable),
        }
    }

    fn type_text(&self, ty: DeclaredTypeId, position: Position) -> String {
        let declared = &self.declarations.types[ty.index()];
        if let Some(index_type) = declared.index_type {
            let shown = self.type_of(index_type);
            return match position {
                Position::Value => shown.value.clone(),
                Position::Index => shown.name.clone(),
            };
        }
        match &declared.name {
            Some(name) => name.clone(),
            None => self.kind_text(ty),
        }
    }

    fn kind_text(&self, ty: DeclaredTypeId) -> String {
        match &self.declarations.types[ty.index()].kind {
            DeclaredKind::Boolean => "boolean".to_owned(),
            DeclaredKind::Enumeration(members) => format!("enum {{ {} }}", members.join(", ")),
            DeclaredKind::Range(first, last) => format!("{first}..{last}"),
            DeclaredKind::Symmetric(size) => format!("scalarset({size})"),
            DeclaredKind::Union(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.type_text(*part, Position::Value)).collect();
                format!("union {{ {} }}", parts.join(", "))
            }
            DeclaredKind::Record(fields) => {
                let fields = fields.iter().map(|(name, ty)| {
                    let text = self.type_text(*ty, Position::Value);
                    format!("    {name} : {};\n", text.replace('\n', "\n    "))
                });
                format!("record\n{}  end", fields.collect::<String>())
            }
            DeclaredKind::Array { index, element } => format!(
                "array [{}] of {}",
                self.type_text(*index, Position::Index),
                self.type_text(*element, Position::Value)
            ),
            DeclaredKind::Multiset { size, element } => {
                format!("multiset [{size}] of {}", self.type_text(*element, Position::Value))
            }
        }
    }

    /// The sections of constants, types and variables.
    pub(crate) fn declarations(&self) -> String {
        format!("{}\ntype\n{}\nvar\n{}", self.constants_text(), self.types_text(), self.variables_text())
    }

    fn constants_text(&self) -> String {
        let mut lines = Vec::new();
        for shown in self.types.iter() {
            let by_number = !shown.abstracted || self.style == Style::Ranges;
            for (number, name) in (shown.first..).zip(&shown.named) {
                if by_number && is_identifier(name) {
                    lines.push(format!("  {name} : {number};\n"));
                }
            }
            if shown.abstracted && self.style == Style::Ranges {
                let (other, name) = (&shown.other, &shown.name);
                lines.push(format!(
                    "  {other} : {};  -- all elements of {name} that are not kept\n",
                    shown.other_number()
                ));
                if let Some(nobody) = &shown.nobody {
                    lines.push(format!("  {nobody} : {};  -- an undefined pointer\n", shown.nobody_number()));
                }
            }
        }
        if lines.is_empty() { String::new() } else { format!("const\n{}", lines.concat()) }
    }

    fn types_text(&self) -> String {
        let mut text = String::new();
        for (position, shown) in self.types.iter().enumerate() {
            if shown.abstracted {
                text.push_str(&self.abstracted_type_text(shown));
            } else {
                let size = self.system.index_types[position].size;
                let last = shown.first + i64::from(size) - 1;
                let scalarset = self.is_scalarset(position) && shown.named.is_empty();
                let kind = if scalarset { format!("scalarset({size})") } else { format!("{}..{last}", shown.first) };
                text.push_str(&format!("  {} : {kind};\n", shown.name));
            }
        }
        for (id, ty) in (0..).map(DeclaredTypeId).zip(&self.declarations.types) {
            let Some(name) = &ty.name else { continue };
            if ty.index_type.is_none() && self.types.iter().all(|shown| shown.name != *name) {
                if *name == "boolean" {
                    continue;
                }
                text.push_str(&format!("  {name} : {};\n", self.kind_text(id)));
            }
        }
        text
    }

    fn is_scalarset(&self, index_type: usize) -> bool {
        self.declarations.types.iter().any(|ty| {
            ty.index_type.is_some_and(|of| of.index() == index_type) && matches!(ty.kind, DeclaredKind::Symmetric(_))
        })
    }

    fn abstracted_type_text(&self, shown: &ShownType) -> String {
        let (name, pointer, other, value) = (&shown.name, &shown.pointer, &shown.other, &shown.value);
        if self.style == Style::Ranges {
            let last = shown.other_number();
            let mut text = format!("  {name} : {0}..{1};\n  {pointer} : {0}..{last};\n", shown.first, last - 1);
            if shown.nobody.is_some() {
                text.push_str(&format!("  {value} : {}..{};\n", shown.first, shown.nobody_number()));
            }
            return text;
        }
        // CMurphi compares variables of two types only where one is a scalarset or an enumeration in the other, so that
        // elements with and without a name are of one type.
        let kind = if shown.named.is_empty() {
            format!("scalarset({})", shown.shown)
        } else {
            let mut used = BTreeSet::new();
            let nameless = (1..=shown.shown).map(|number| self.free_name(&format!("{name}_{number}"), &mut used));
            let members: Vec<String> = shown.named.iter().cloned().chain(nameless).collect();
            format!("enum {{ {} }}", members.join(", "))
        };
        let mut text = format!("  {name} : {kind};\n");
        let mut parts = vec![name.clone()];
        text.push_str(&format!("  {name}_OTHER : enum {{ {other} }};\n"));
        parts.push(format!("{name}_OTHER"));
        text.push_str(&format!("  {pointer} : union {{ {} }};\n", parts.join(", ")));
        if let Some(nobody) = &shown.nobody {
            text.push_str(&format!("  {name}_NOBODY : enum {{ {nobody} }};\n"));
            parts.push(format!("{name}_NOBODY"));
            text.push_str(&format!("  {value} : union {{ {} }};\n", parts.join(", ")));
        }
        text
    }

    fn variables_text(&self) -> String {
        let mut text = String::new();
        for variable in self.declarations.variables.iter().filter(|variable| !variable.is_named_element) {
            let ty = self.type_text(variable.ty, Position::Value);
            text.push_str(&format!("  {} : {ty};\n", variable.name));
        }
        for monitor in self.system.monitors() {
            text.push_str(&format!("  {} : boolean;\n", self.system.variables[monitor.index()].name));
        }
        text
    }
}

/// Where a type is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    /// As the type of values.
    Value,
    /// As the index of an array.
    Index,
}

/// Index types that state variables are indexed by.
pub(crate) fn abstracted(system: &System) -> Vec<bool> {
    let mut abstracted = vec![false; system.index_types.len()];
    for argument in system.variables.iter().flat_map(|variable| &variable.arguments) {
        abstracted[argument.index()] = true;
    }
    abstracted
}

/// For each index type, whether a state variable that points into it may be undefined.
fn undefined_pointers(system: &System, definedness: &Definedness, undefined: Option<ConstantId>) -> Vec<bool> {
    let mut found = vec![false; system.index_types.len()];
    for (id, variable) in (0..).map(VariableId).zip(&system.variables) {
        let sort = &system.sorts[variable.sort.index()];
        let tracked = undefined.is_some_and(|undefined| sort.constants.contains(&undefined));
        if tracked || definedness.may_be_undefined(id) {
            sort.index_types.iter().for_each(|over| found[over.index()] = true);
        }
    }
    found
}

fn named_texts(system: &System, taken: &mut BTreeSet<String>) -> Vec<String> {
    system
        .named
        .iter()
        .map(|named| {
            if is_identifier(&named.name) {
                return named.name.clone();
            }
            let over = &system.index_types[named.index_type.index()].name;
            fresh(taken, &format!("{over}_{}", named.position))
        })
        .collect()
}

fn value_type(declarations: &Declarations, path: &[PathStep]) -> DeclaredTypeId {
    let mut ty = DeclaredTypeId(0);
    for step in path {
        ty = match (step, &declarations.types[ty.index()].kind) {
            (PathStep::Global(name), _) => {
                let mut variables = declarations.variables.iter();
                variables.find(|variable| variable.name == *name).map_or(ty, |variable| variable.ty)
            }
            (PathStep::Field(name), DeclaredKind::Record(fields)) => {
                fields.iter().find(|(field, _)| field == name).map_or(ty, |(_, ty)| *ty)
            }
            (PathStep::Element(_) | PathStep::Argument(_), DeclaredKind::Array { element, .. }) => *element,
            (PathStep::Field(_) | PathStep::Element(_) | PathStep::Argument(_) | PathStep::Multiset, _) => {
                unreachable!("a path follows the type of its variable")
            }
            (
                PathStep::Rank | PathStep::Number(_) | PathStep::Count(..) | PathStep::Half(..) | PathStep::Next(..),
                _,
            ) => unreachable!("a protocol with numbers is refused"),
            (PathStep::Holds(_), _) => {
                unreachable!("a protocol with an `exists` below a `forall` in a guard is refused")
            }
        };
    }
    ty
}

fn taken(system: &System, declarations: &Declarations) -> BTreeSet<String> {
    let variables = declarations.variables.iter().map(|variable| variable.name.clone());
    let types = declarations.types.iter().filter_map(|ty| ty.name.clone());
    let parts = declarations.types.iter().flat_map(|ty| match &ty.kind {
        DeclaredKind::Record(fields) => fields.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(),
        DeclaredKind::Enumeration(members) => members.clone(),
        DeclaredKind::Boolean
        | DeclaredKind::Range(..)
        | DeclaredKind::Symmetric(_)
        | DeclaredKind::Union(_)
        | DeclaredKind::Array { .. }
        | DeclaredKind::Multiset { .. } => Vec::new(),
    });
    variables
        .chain(types)
        .chain(parts)
        .chain(system.constants.iter().map(|constant| constant.name.clone()))
        .chain(system.named.iter().map(|named| named.name.clone()))
        .chain(system.index_types.iter().map(|over| over.name.clone()))
        .collect()
}

fn fresh(taken: &mut BTreeSet<String>, wanted: &str) -> String {
    let mut name = wanted.to_owned();
    while !taken.insert(name.clone()) {
        name.push('_');
    }
    name
}

/// Whether a text can be a name in Murphi. Names in a system are names of the model or made up with other signs.
fn is_identifier(text: &str) -> bool {
    let mut signs = text.chars();
    signs.next().is_some_and(|sign| sign.is_ascii_alphabetic())
        && signs.all(|sign| sign.is_ascii_alphanumeric() || sign == '_')
}
