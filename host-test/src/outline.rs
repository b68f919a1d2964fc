//! What a component's file would become, counted before it is compiled: a few hundred bytes
//! can hold millions of instances, components within components, and compiling them is what
//! no budget interrupts.

use wasmparser::{
    ComponentAlias, ComponentExternalKind, ComponentInstance, ComponentOuterAliasKind, Encoding,
    Parser, Payload,
};

/// What a component is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Instances of modules and components, as often as each is instantiated.
    pub instances: usize,
    /// Functions to compile.
    pub functions: usize,
}

/// A component or a module that is being read.
struct Level {
    is_component: bool,
    instances: usize,
    /// How many instances each component that it names becomes.
    components: Vec<usize>,
}

impl Outline {
    /// Reads a component. What cannot be read is not counted: compiling it fails at once.
    pub fn of(bytes: &[u8]) -> Self {
        let mut outline = Self::default();
        let mut levels: Vec<Level> = Vec::new();
        // The most that any component becomes: of one that comes from elsewhere (an
        // import, another instance) nothing else is known.
        let mut largest = 0;
        for payload in Parser::new(0).parse_all(bytes) {
            let Ok(payload) = payload else { break };
            match payload {
                Payload::Version { encoding, .. } => levels.push(Level {
                    is_component: encoding == Encoding::Component,
                    instances: 0,
                    components: Vec::new(),
                }),
                Payload::End(_) => {
                    let Some(ended) = levels.pop() else { break };
                    largest = largest.max(ended.instances);
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
                payload => {
                    if let Some(level) = levels.last_mut() {
                        level.read(payload, largest);
                    }
                }
            }
        }
        // A file that breaks off is counted as far as it goes.
        let open = levels.first().map_or(0, |level| level.instances);
        Self { instances: outline.instances.max(open), ..outline }
    }
}

impl Level {
    fn read(&mut self, payload: Payload<'_>, largest: usize) {
        match payload {
            Payload::InstanceSection(section) => {
                let count = usize::try_from(section.count()).unwrap_or(usize::MAX);
                self.instances = self.instances.saturating_add(count);
            }
            Payload::ComponentInstanceSection(section) => {
                for instance in section.into_iter().map_while(Result::ok) {
                    let within = match instance {
                        ComponentInstance::Instantiate { component_index, .. } => {
                            let index = usize::try_from(component_index).unwrap_or(usize::MAX);
                            self.components.get(index).copied().unwrap_or(largest)
                        }
                        ComponentInstance::FromExports(_) => 0,
                    };
                    self.instances = self.instances.saturating_add(within).saturating_add(1);
                }
            }
            Payload::ComponentAliasSection(section) => {
                for alias in section.into_iter().map_while(Result::ok) {
                    let is_component = matches!(
                        alias,
                        ComponentAlias::InstanceExport {
                            kind: ComponentExternalKind::Component,
                            ..
                        } | ComponentAlias::Outer { kind: ComponentOuterAliasKind::Component, .. }
                    );
                    if is_component {
                        self.components.push(largest);
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
    fn instances_within_components_count_as_often_as_they_are_made() {
        let text = "(component
            (component $a (core module $m (func)) (core instance (instantiate $m))
                          (core instance (instantiate $m)))
            (component $b (alias outer 1 0 (component $c))
                          (instance (instantiate $c)) (instance (instantiate $c)))
            (instance (instantiate $b)) (instance (instantiate $b)) (instance (instantiate $a)))";
        // b: two instances of a, each with two of its module; and so twice, and a once.
        assert_eq!(of(text), Outline { instances: 2 * (1 + 2 * 3) + 3, functions: 1 });
    }

    #[test]
    fn a_component_of_this_repository_has_few_of_either() {
        let outline = Outline::of(crate::WEBHOOK_FILES);
        assert!((10..500).contains(&outline.instances), "{outline:?}");
        assert!((100..10_000).contains(&outline.functions), "{outline:?}");
        assert_eq!(Outline::of(b"not wasm"), Outline::default());
    }
}
