//! Tests properties about all elements, and that the text of an invariant means its cube.

use crate::lower::{LowerOptions, Lowered, NoteKind, lower};
use crate::{Options, read};
use system::notation::Notation;
use system::{Cube, Property};

/// Properties whose negation is about all elements, with the number of their cubes and of those with universal parts.
const MODEL: &str = "type N: scalarset(3); M: scalarset(2); \
    var Home: N; a, b: array [N] of boolean; c: boolean; k: 0..2; p: union { N, enum { None } }; q: array [M] of N; \
    e: array [N] of array [N] of boolean; g: array [M] of boolean; \
    ruleset h: N do startstate Home := h; clear a; clear b; clear e; clear g; c := false; k := 0; p := None; \
      for m: M do q[m] := h; end; end; end; \
    ruleset i: N do rule \"set\" begin a[i] := !a[i]; end; end;";

const PROPERTIES: &[(&str, &str, usize, usize)] = &[
    ("some", "exists i: N do a[i] end", 1, 1),
    ("some of each", "forall m: M do exists i: N do q[m] = i & a[i] end end", 2, 2),
    ("another", "forall i: N do a[i] -> exists j: N do j != i & b[j] end end", 2, 2),
    ("another pair", "exists i: N; j: N do i != j & e[i][j] & !a[j] end", 1, 1),
    ("either", "c | exists i: N do a[i] & !b[i] & k != 2 end", 3, 2),
    ("none or some", "(exists m: M do g[m] end) | k = 1", 1, 1),
    ("pointed", "exists i: N do p = i & a[i] end | exists m: M do q[m] = p end", 2, 2),
    ("both types", "exists i: N do exists m: M do q[m] = i & g[m] & a[i] end end", 1, 1),
    ("nested", "forall i: N; j: N do i != j & e[i][j] -> exists m: M do g[m] | q[m] = i end end", 3, 3),
];

fn lowered(properties: &str) -> Lowered {
    let program = read(&format!("{MODEL}\n{properties}"), &Options::default()).unwrap();
    lower(&program, &LowerOptions::default()).unwrap()
}

fn universal(property: &Property) -> usize {
    property.bad.iter().filter(|cube| !cube.universals.is_empty()).count()
}

#[test]
fn a_property_about_all_elements_has_cubes_and_no_monitor() {
    let texts = PROPERTIES.iter().map(|(name, text, ..)| format!("invariant \"{name}\" {text};\n"));
    let lowered = lowered(&texts.collect::<String>());
    assert!(lowered.refused_properties.is_empty(), "{:?}", lowered.refused_properties);
    assert!(lowered.system.monitors().is_empty());
    assert!(!lowered.notes.iter().any(|note| matches!(note.kind, NoteKind::Monitor { .. })));
    for ((name, _, cubes, with), property) in PROPERTIES.iter().zip(&lowered.system.properties) {
        let notation = Notation::new(&lowered.system);
        let told = |cube: &Cube| notation.bad_states(cube, &notation.names(&cube.variables)).to_string();
        let bad: Vec<String> = property.bad.iter().map(told).collect();
        assert_eq!((bad.len(), universal(property)), (*cubes, *with), "{name}: {bad:#?}");
    }
}

#[test]
fn what_no_cube_can_say_has_a_monitor() {
    let start = "startstate assert false \"started\"; end; ";
    let lowered = lowered(start);
    assert_eq!(lowered.system.monitors().len(), 1);
    // An assertion in a rule is a property of its own.
    let lowered = self::lowered("rule \"ask\" begin assert exists i: N do a[i] end \"some\"; end;");
    assert!(lowered.system.monitors().is_empty());
    assert_eq!(universal(&lowered.system.properties[0]), 1);
}

#[test]
fn a_printed_invariant_means_its_cube() {
    let mut printed = 0;
    for (name, text, ..) in PROPERTIES {
        let system = lowered(&format!("invariant {text};")).system;
        let notation = Notation::new(&system);
        for (number, cube) in system.properties[0].bad.iter().enumerate() {
            let invariant = notation.invariant(cube, &notation.names(&cube.variables)).to_string();
            let again = lowered(&format!("invariant {invariant};")).system;
            assert_eq!(again.properties[0].bad, std::slice::from_ref(cube), "{invariant}");
            if let Some((.., expected)) = PRINTED.iter().find(|(own, at, _)| own == name && *at == number) {
                assert_eq!(invariant, *expected);
                printed += 1;
            }
        }
    }
    assert_eq!(printed, PRINTED.len());
}

const PRINTED: &[(&str, usize, &str)] = &[
    ("some", 0, "a[Home] = false -> exists i : N do i != Home & a[i] = true end"),
    (
        "another",
        1,
        "forall i : N do i != Home & a[i] = true & b[Home] = false -> \
         exists j : N do i != j & j != Home & b[j] = true end end",
    ),
    (
        "both types",
        0,
        "exists i : N do exists m : M do i != Home & a[i] = true & q[m] = i & g[m] = true end end | \
         exists m : M do a[Home] = true & q[m] = Home & g[m] = true end",
    ),
    (
        "nested",
        2,
        "forall i : N do forall j : N do i != Home & i != j & j != Home & e[i][j] = true -> \
         exists m : M do q[m] = i end | exists m : M do g[m] = true end end end",
    ),
];
