//! Counts the functions and instances of a component file before compilation. A file of a few
//! hundred bytes can expand to millions of nested instances, and no budget interrupts a
//! compilation.

use wasmparser::{
    ComponentAlias, ComponentExternalKind, ComponentInstance, ComponentOuterAliasKind,
    ComponentTypeRef, Encoding, Parser, Payload,
};

/// Size of a component.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Number of module and component instances after expansion.
    pub instances: usize,
    /// Number of functions to compile.
    pub functions: usize,
    /// Depth of nested components and modules; 1 for a component that contains none.
    pub depth: usize,
}

/// A component or module that is being parsed.
struct Level {
    is_component: bool,
    instances: usize,
    /// Number of instances in each component of the component index space.
    components: Vec<usize>,
}

/// Assumed number of instances in a component that is imported, or exported by an instance. The
/// number exceeds every limit, because the definition of such a component is unknown.
const UNKNOWN: usize = usize::MAX;

impl Outline {
    /// Reads a component. Ignores unreadable parts, because compilation rejects them.
    pub fn of(bytes: &[u8]) -> Self {
        let mut outline = Self::default();
        let mut levels: Vec<Level> = Vec::new();
        for payload in Parser::new(0).parse_all(bytes) {
            let Ok(payload) = payload else { break };
            match payload {
                Payload::Version { encoding, .. } => {
                    levels.push(Level {
                        is_component: encoding == Encoding::Component,
                        instances: 0,
                        components: Vec::new(),
                    });
                    outline.depth = outline.depth.max(levels.len());
                }
                Payload::End(_) => {
                    let Some(ended) = levels.pop() else { break };
                    match levels.last_mut() {
                        Some(outer) if ended.is_component => outer.components.push(ended.instances),
                        Some(_) => {}
                        None => outline.instances = ended.instances,
                    }
                }
                Payload::FunctionSection(section) => {
                    let count = usize::try_from(section.count()).unwrap_or(usize::MAX);
                    outline.functions = outline.functions.saturating_add(count);
                }
                Payload::ComponentAliasSection(section) => {
                    for alias in section.into_iter().map_while(Result::ok) {
                        let Some(named) = aliased(&alias, &levels) else { continue };
                        if let Some(level) = levels.last_mut() {
                            level.components.push(named);
                        }
                    }
                }
                payload => {
                    if let Some(level) = levels.last_mut() {
                        level.read(payload);
                    }
                }
            }
        }
        // A truncated file is counted up to its end.
        let open = levels.first().map_or(0, |level| level.instances);
        Self { instances: outline.instances.max(open), ..outline }
    }
}

/// Names of the exports and imports of a component.
#[derive(Debug, Default)]
pub struct Names {
    pub exports: Vec<String>,
    pub imports: Vec<String>,
}

impl Names {
    /// Reads the names, in the order of the file. Ignores nested components.
    pub fn of(bytes: &[u8]) -> Self {
        let mut names = Self::default();
        let mut depth = 0_usize;
        for payload in Parser::new(0).parse_all(bytes).map_while(Result::ok) {
            match payload {
                Payload::Version { .. } => depth = depth.saturating_add(1),
                Payload::End(_) => depth = depth.saturating_sub(1),
                Payload::ComponentExportSection(section) if depth == 1 => {
                    let exports = section.into_iter().map_while(Result::ok);
                    names.exports.extend(exports.map(|export| export.name.name.to_string()));
                }
                Payload::ComponentImportSection(section) if depth == 1 => {
                    let imports = section.into_iter().map_while(Result::ok);
                    names.imports.extend(imports.map(|import| import.name.name.to_string()));
                }
                _ => {}
            }
        }
        names
    }
}

/// Returns the number of instances of an aliased component; `None` if the alias does not name a
/// component.
fn aliased(alias: &ComponentAlias<'_>, levels: &[Level]) -> Option<usize> {
    match alias {
        ComponentAlias::InstanceExport { kind: ComponentExternalKind::Component, .. } => {
            Some(UNKNOWN)
        }
        ComponentAlias::Outer { kind: ComponentOuterAliasKind::Component, count, index } => {
            let outer =
                usize::try_from(*count).ok().and_then(|count| levels.iter().rev().nth(count));
            Some(outer.map_or(UNKNOWN, |level| level.component(*index)))
        }
        _ => None,
    }
}

impl Level {
    fn component(&self, index: u32) -> usize {
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        self.components.get(index).copied().unwrap_or(UNKNOWN)
    }

    fn read(&mut self, payload: Payload<'_>) {
        match payload {
            Payload::InstanceSection(section) => {
                let count = usize::try_from(section.count()).unwrap_or(usize::MAX);
                self.instances = self.instances.saturating_add(count);
            }
            Payload::ComponentInstanceSection(section) => {
                for instance in section.into_iter().map_while(Result::ok) {
                    let within = match instance {
                        ComponentInstance::Instantiate { component_index, .. } => {
                            self.component(component_index)
                        }
                        ComponentInstance::FromExports(_) => 0,
                    };
                    self.instances = self.instances.saturating_add(within).saturating_add(1);
                }
            }
            Payload::ComponentImportSection(section) => {
                let imports = section.into_iter().map_while(Result::ok);
                let components =
                    imports.filter(|import| matches!(import.ty, ComponentTypeRef::Component(_)));
                self.components.extend(components.map(|_| UNKNOWN));
            }
            // An export adds an entry to the index space.
            Payload::ComponentExportSection(section) => {
                for export in section.into_iter().map_while(Result::ok) {
                    if export.kind == ComponentExternalKind::Component {
                        self.components.push(self.component(export.index));
                    }
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Outline {
        Outline::of(&wat::parse_str(text).unwrap())
    }

    #[test]
    fn nested_instances_are_counted() {
        let text = "(component
            (component $a (core module $m (func)) (core instance (instantiate $m))
                          (core instance (instantiate $m)))
            (component $b (alias outer 1 0 (component $c))
                          (instance (instantiate $c)) (instance (instantiate $c)))
            (instance (instantiate $b)) (instance (instantiate $b)) (instance (instantiate $a)))";
        // `$b` has two instances of `$a`, each with two instances of `$m`. There are two instances
        // of `$b` and one of `$a`.
        assert_eq!(of(text), Outline { instances: 2 * (1 + 2 * 3) + 3, functions: 1, depth: 3 });
    }

    /// Imports and exports take entries in the component index space, like definitions.
    #[test]
    fn parts_are_counted_at_any_position() {
        let doubling = |entry: &str| {
            let mut text =
                "(component $c0 (core module $m) (core instance (instantiate $m)))".into();
            for number in 1..=21 {
                let before = number - 1;
                text = format!(
                    "{text} (component $c{number} {entry} (alias outer 1 $c{before} (component $b))
                     (instance (instantiate $b)) (instance (instantiate $b)))"
                );
            }
            of(&format!("(component {entry} {text} (instance (instantiate $c21)))")).instances
        };
        assert!(doubling("") > 2_000_000);
        assert!(doubling(r#"(import "x" (component))"#) > 2_000_000);
        assert!(doubling(r#"(component $e) (export "x" (component $e))"#) > 2_000_000);
    }

    /// `$f` doubles the component that it gets as argument.
    #[test]
    fn imported_component_exceeds_every_limit() {
        let text = r#"(component
            (component $f (import "x" (component $x))
                (component $twice (alias outer 1 $x (component $y))
                    (instance (instantiate $y)) (instance (instantiate $y)))
                (export "twice" (component $twice)))
            (component $one (core module $m) (core instance (instantiate $m)))
            (instance $i (instantiate $f (with "x" (component $one))))
            (alias export $i "twice" (component $two))
            (instance (instantiate $two)))"#;
        assert_eq!(of(text).instances, usize::MAX);
    }

    #[test]
    fn exports_of_parts_do_not_count() {
        let text = r#"(component
            (component $inner (component $c) (export "inner" (component $c)))
            (core module (data "data"))
            (@custom "custom" "custom")
            (export "own" (component $inner)))"#;
        let bytes = wat::parse_str(text).unwrap();
        assert_eq!(Names::of(&bytes).exports, ["own"]);
        assert!(Names::of(b"own").exports.is_empty());
    }

    #[test]
    fn own_components_have_few_parts() {
        let outline = Outline::of(messaging_components::WEBHOOK_FILES);
        assert!((10..500).contains(&outline.instances), "{outline:?}");
        assert!((100..10_000).contains(&outline.functions), "{outline:?}");
        assert_eq!(Outline::of(b"not wasm"), Outline::default());
    }
}
