//! Components into slots. Bad input is judged here and nowhere else.
//!
//! ```text
//! for each table of entities with a collider, in the order in which they lie in memory
//!     a root whose components are all as they were    nothing
//!     a root that has only moved                      its position
//!     any other root                                  everything
//!     a child                                         everything, through its parents, in every tick
//! whoever has no slot yet                             gets one, in the order of their entities
//! whoever had a slot and is gone                      gives it back
//! ```

use bevy::{
    ecs::{
        change_detection::{ContiguousRef, DetectChanges, MaybeLocation, Tick},
        entity::{Entity, EntityHashSet},
        hierarchy::ChildOf,
        name::Name,
        prelude::{Has, Or, Query, Ref, ResMut, With},
        system::{Local, SystemChangeTick},
    },
    math::{Quat, Vec2, Vec3},
    transform::components::{GlobalTransform, Transform},
};
use thiserror::Error;
use tracing::warn;

use crate::{
    components::{
        Body, BoundsCollider, BoxCollider, CircleCollider, CollisionLayers, Mass, Removals, Sensor,
    },
    kernel::{InvalidShape, MAX_COORDINATE, Outline, Shape},
    placed::{Mover, Rank},
    state::{
        colliders::{Colliders, Gathered, Traits, entity_key},
        pose::Poses,
    },
};

/// Everything that is asked of a collider.
type ColliderData = (
    Entity,
    Option<Ref<'static, Transform>>,
    Option<Ref<'static, CircleCollider>>,
    Option<Ref<'static, BoxCollider>>,
    Option<Ref<'static, BoundsCollider>>,
    Option<Ref<'static, Body>>,
    Option<Ref<'static, Mass>>,
    Option<Ref<'static, CollisionLayers>>,
    Option<Ref<'static, Sensor>>,
    Has<ChildOf>,
);

type AnyCollider = Or<(
    With<CircleCollider>,
    With<BoxCollider>,
    With<BoundsCollider>,
)>;

/// A collider's components.
#[derive(Clone, Copy)]
struct Parts<'a> {
    entity: Entity,
    transform: Option<&'a Transform>,
    circle: Option<&'a CircleCollider>,
    rectangle: Option<&'a BoxCollider>,
    bounds: Option<&'a BoundsCollider>,
    body: Option<&'a Body>,
    mass: Option<&'a Mass>,
    layers: Option<&'a CollisionLayers>,
    is_sensor: bool,
    is_child: bool,
}

/// Why a collider takes no part.
#[derive(Error, Clone, Copy, Debug, PartialEq)]
enum Refusal {
    #[error(transparent)]
    Shape(#[from] InvalidShape),
    #[error("position and offset must be finite and at most 1e18, got {0}")]
    Position(Vec2),
    #[error("mass must be finite and > 0, got {0}")]
    Mass(f32),
    #[error("it has more than one collider component; give the others to children")]
    Several,
    #[error("it has no Transform")]
    NoTransform,
}

/// Brings the slots up to date with the components.
pub(crate) fn gather_colliders(
    mut colliders: ResMut<Colliders>,
    mut removals: ResMut<Removals>,
    query: Query<ColliderData, AnyCollider>,
    names: Query<&Name>,
    poses: Poses,
    ticks: SystemChangeTick,
    mut newcomers: Local<Vec<Entity>>,
) {
    let mut gathering = Gathering {
        colliders: &mut colliders,
        poses: &poses,
        seen: 0,
        refused: EntityHashSet::default(),
        newcomers: std::mem::take(&mut *newcomers),
    };
    gathering.colliders.forget_bodies();
    match query.contiguous_iter() {
        Ok(tables) => {
            for table in tables {
                gathering.read_table(&Table::new(table, ticks));
            }
        }
        // Something else that decides who is seen, such as a game's own way to disable entities, is not kept in tables.
        Err(_) => query
            .iter()
            .for_each(|row| gathering.read_known(&parts(&row))),
    }
    gathering.read_newcomers(&query);
    gathering.look_after(&mut removals.entities, &query);
    gathering.colliders.end_gathering();
    *newcomers = gathering.newcomers;

    let refused = gathering.refused;
    for &entity in refused.difference(&colliders.refused) {
        if let Ok(row) = query.get(entity) {
            warn_of(&row, &names, &poses);
        }
    }
    colliders.refused = refused;
}

/// Work on the slots in one tick.
struct Gathering<'a, 'w, 's> {
    colliders: &'a mut Colliders,
    poses: &'a Poses<'w, 's>,
    /// Colliders that were met and have a slot.
    seen: usize,
    refused: EntityHashSet,
    /// Colliders that have no slot.
    newcomers: Vec<Entity>,
}

impl Gathering<'_, '_, '_> {
    /// The entities of a table have the same components; so what is asked of one is often known for all.
    fn read_table(&mut self, table: &Table) {
        let rows = 0..table.entities.len();
        let Some(transforms) = table.transforms.as_ref().filter(|_| !table.is_child) else {
            return rows.for_each(|row| self.read_known(&table.parts(row)));
        };
        let some_changed = table.has_changed();
        let moved = transforms.changed_ticks_slice();
        let transforms = transforms.as_ref();
        for row in rows {
            let Some(slot) = self.colliders.slot(table.entities[row]) else {
                self.newcomers.push(table.entities[row]);
                continue;
            };
            let is_changed = some_changed && table.is_changed(row);
            if !is_changed {
                if !table.is_newer(moved[row]) {
                    self.seen += 1;
                    continue;
                }
                if self.move_plainly(slot, &transforms[row]) {
                    self.seen += 1;
                    continue;
                }
            }
            self.read(&table.parts(row));
        }
    }

    /// By far the most frequent change: a root has another position, and nothing turns or scales it. False if it is anything else.
    #[inline]
    fn move_plainly(&mut self, slot: usize, transform: &Transform) -> bool {
        let position = transform.translation.truncate();
        let is_plain = self.colliders.traits[slot].is_plain
            && is_plain(transform)
            && is_in_world(position)
            && is_in_world(position + self.colliders.placed[slot].offset);
        if is_plain {
            self.colliders.move_to(slot, position);
        }
        is_plain
    }

    /// Reads a collider that has a slot; others have to wait.
    fn read_known(&mut self, parts: &Parts) {
        if self.colliders.slot(parts.entity).is_some() {
            self.read(parts);
        } else {
            self.newcomers.push(parts.entity);
        }
    }

    /// In the order of their entities, whichever tables they are in: so contacts, which are sorted by slots, are mostly sorted by entities too.
    fn read_newcomers(&mut self, query: &Query<ColliderData, AnyCollider>) {
        let mut newcomers = std::mem::take(&mut self.newcomers);
        newcomers.sort_unstable_by_key(|entity| entity_key(*entity));
        for entity in newcomers.drain(..) {
            if let Ok(row) = query.get(entity) {
                self.read(&parts(&row));
            }
        }
        self.newcomers = newcomers;
    }

    /// Reads all components of a collider, whatever has changed.
    fn read(&mut self, parts: &Parts) {
        match gather_collider(parts, self.poses) {
            Ok(gathered) => {
                self.colliders.store(&gathered);
                self.seen += 1;
                if let Some(slot) = self.colliders.slot(parts.entity) {
                    self.colliders.children.set(slot, parts.is_child);
                }
            }
            Err(_) => {
                self.refused.insert(parts.entity);
                if let Some(slot) = self.colliders.slot(parts.entity) {
                    self.colliders.remove(slot);
                }
            }
        }
    }

    /// Frees the slots of whoever is gone, and reads anew what has lost a component, of which no tick of change tells.
    fn look_after(&mut self, removed: &mut Vec<Entity>, query: &Query<ColliderData, AnyCollider>) {
        // Whoever was a child and is not any more has lost its parent, of which nobody is told either.
        let mut suspects = std::mem::take(removed);
        let children = self.colliders.children.members().iter();
        suspects.extend(children.map(|&slot| self.colliders.traits[slot as usize].entity));
        self.check(&suspects, query);
        suspects.clear();
        *removed = suspects;

        // Disabled entities are not seen either, and tell nobody. The count tells.
        if self.seen != self.colliders.count() {
            let all = self.colliders.slots();
            let all: Vec<Entity> = all.map(|slot| self.colliders.traits[slot].entity).collect();
            self.check(&all, query);
        }
    }

    fn check(&mut self, suspects: &[Entity], query: &Query<ColliderData, AnyCollider>) {
        for &entity in suspects {
            let Some(slot) = self.colliders.slot(entity) else {
                continue;
            };
            match query.get(entity) {
                Ok(row) => {
                    let parts = parts(&row);
                    let was_child = self.colliders.children.contains(slot);
                    if !was_child || !parts.is_child {
                        // It was seen already: it has a slot.
                        self.seen -= 1;
                        self.read(&parts);
                    }
                }
                Err(_) => self.colliders.remove(slot),
            }
        }
    }
}

/// The colliders of one table, as slices.
struct Table<'w> {
    ticks: SystemChangeTick,
    entities: &'w [Entity],
    transforms: Option<ContiguousRef<'w, Transform>>,
    circles: Option<ContiguousRef<'w, CircleCollider>>,
    rectangles: Option<ContiguousRef<'w, BoxCollider>>,
    bounds: Option<ContiguousRef<'w, BoundsCollider>>,
    bodies: Option<ContiguousRef<'w, Body>>,
    masses: Option<ContiguousRef<'w, Mass>>,
    layers: Option<ContiguousRef<'w, CollisionLayers>>,
    sensors: Option<ContiguousRef<'w, Sensor>>,
    is_child: bool,
}

/// The slices of a table, as the query hands them out.
type Slices<'w> = (
    &'w [Entity],
    Option<ContiguousRef<'w, Transform>>,
    Option<ContiguousRef<'w, CircleCollider>>,
    Option<ContiguousRef<'w, BoxCollider>>,
    Option<ContiguousRef<'w, BoundsCollider>>,
    Option<ContiguousRef<'w, Body>>,
    Option<ContiguousRef<'w, Mass>>,
    Option<ContiguousRef<'w, CollisionLayers>>,
    Option<ContiguousRef<'w, Sensor>>,
    bool,
);

impl<'w> Table<'w> {
    fn new(slices: Slices<'w>, ticks: SystemChangeTick) -> Self {
        let (
            entities,
            transforms,
            circles,
            rectangles,
            bounds,
            bodies,
            masses,
            layers,
            sensors,
            is_child,
        ) = slices;
        Self {
            ticks,
            entities,
            transforms,
            circles,
            rectangles,
            bounds,
            bodies,
            masses,
            layers,
            sensors,
            is_child,
        }
    }

    #[inline]
    fn is_newer(&self, tick: Tick) -> bool {
        tick.is_newer_than(self.ticks.last_run(), self.ticks.this_run())
    }

    /// The ticks of change of all components but the `Transform`.
    fn changes(&self) -> impl Iterator<Item = &'w [Tick]> {
        [
            self.circles
                .as_ref()
                .map(ContiguousRef::changed_ticks_slice),
            self.rectangles
                .as_ref()
                .map(ContiguousRef::changed_ticks_slice),
            self.bounds.as_ref().map(ContiguousRef::changed_ticks_slice),
            self.bodies.as_ref().map(ContiguousRef::changed_ticks_slice),
            self.masses.as_ref().map(ContiguousRef::changed_ticks_slice),
            self.layers.as_ref().map(ContiguousRef::changed_ticks_slice),
            self.sensors
                .as_ref()
                .map(ContiguousRef::changed_ticks_slice),
        ]
        .into_iter()
        .flatten()
    }

    fn has_changed(&self) -> bool {
        // Not `any`, which looks at one after the other: this compares several at once.
        let is_newer = |some: bool, tick: &Tick| some | self.is_newer(*tick);
        self.changes()
            .any(|ticks| ticks.iter().fold(false, is_newer))
    }

    fn is_changed(&self, row: usize) -> bool {
        self.changes().any(|ticks| self.is_newer(ticks[row]))
    }

    fn parts(&self, row: usize) -> Parts<'_> {
        Parts {
            entity: self.entities[row],
            transform: self.transforms.as_ref().map(|all| &all.as_ref()[row]),
            circle: self.circles.as_ref().map(|all| &all.as_ref()[row]),
            rectangle: self.rectangles.as_ref().map(|all| &all.as_ref()[row]),
            bounds: self.bounds.as_ref().map(|all| &all.as_ref()[row]),
            body: self.bodies.as_ref().map(|all| &all.as_ref()[row]),
            mass: self.masses.as_ref().map(|all| &all.as_ref()[row]),
            layers: self.layers.as_ref().map(|all| &all.as_ref()[row]),
            is_sensor: self.sensors.is_some(),
            is_child: self.is_child,
        }
    }
}

/// One entity's answer to the query.
type Row<'w> = (
    Entity,
    Option<Ref<'w, Transform>>,
    Option<Ref<'w, CircleCollider>>,
    Option<Ref<'w, BoxCollider>>,
    Option<Ref<'w, BoundsCollider>>,
    Option<Ref<'w, Body>>,
    Option<Ref<'w, Mass>>,
    Option<Ref<'w, CollisionLayers>>,
    Option<Ref<'w, Sensor>>,
    bool,
);

fn parts<'a>(row: &'a Row) -> Parts<'a> {
    let (entity, transform, circle, rectangle, bounds, body, mass, layers, sensor, is_child) = row;
    Parts {
        entity: *entity,
        transform: transform.as_deref(),
        circle: circle.as_deref(),
        rectangle: rectangle.as_deref(),
        bounds: bounds.as_deref(),
        body: body.as_deref(),
        mass: mass.as_deref(),
        layers: layers.as_deref(),
        is_sensor: sensor.is_some(),
        is_child: *is_child,
    }
}

fn gather_collider(parts: &Parts, poses: &Poses) -> Result<Gathered, Refusal> {
    let transform = parts.transform.ok_or(Refusal::NoTransform)?;
    let (shape, local_offset) = shape_of(parts)?;

    // A root is where its Transform says; only children are looked up through their parents.
    let (global, body) = if parts.is_child {
        let global = poses.global(parts.entity).ok_or(Refusal::NoTransform)?;
        (global, poses.body_of(parts.entity))
    } else {
        (GlobalTransform::from(*transform), parts.entity)
    };
    let (kind, mass, position) = if body == parts.entity {
        let kind = parts.body.copied().unwrap_or_default();
        let mass = parts.mass.copied().unwrap_or_default();
        (kind, mass, global.translation().truncate())
    } else {
        let (kind, mass) = poses.body(body);
        let global = poses.global(body).ok_or(Refusal::NoTransform)?;
        (kind, mass, global.translation().truncate())
    };
    if !(mass.0 > 0.0 && mass.0.is_finite()) {
        return Err(Refusal::Mass(mass.0));
    }

    let scaled = shape.scaled(scale_of(&global))?;
    let center = global.transform_point(local_offset.extend(0.0)).truncate();
    for place in [position, center] {
        if !is_in_world(place) {
            return Err(Refusal::Position(place));
        }
    }
    Ok(Gathered {
        traits: Traits {
            entity: parts.entity,
            layers: parts.layers.copied().unwrap_or_default(),
            sensor: parts.is_sensor,
            is_plain: !parts.is_child && is_plain(transform),
        },
        outline: match parts.bounds {
            Some(_) => Outline::Bounds(scaled.half_extents()),
            None => Outline::Shape(scaled),
        },
        // Not the difference of the two places: far out, that has lost bits.
        offset: if body == parts.entity && is_plain(transform) {
            local_offset
        } else {
            center - position
        },
        body,
        mover: Mover {
            position,
            rank: match kind {
                Body::Dynamic => Rank::Dynamic,
                Body::Kinematic => Rank::Kinematic,
                Body::Static => Rank::Static,
            },
            inverse_mass: mass.0.recip(),
        },
    })
}

/// The unscaled shape of an entity's one collider, and its offset.
fn shape_of(parts: &Parts) -> Result<(Shape, Vec2), Refusal> {
    Ok(match (parts.circle, parts.rectangle, parts.bounds) {
        (Some(circle), None, None) => (circle.shape()?, circle.offset),
        (None, Some(rectangle), None) => (rectangle.shape()?, rectangle.offset),
        (None, None, Some(bounds)) => (bounds.shape()?, bounds.offset),
        _ => return Err(Refusal::Several),
    })
}

/// Neither turned nor scaled.
#[inline]
fn is_plain(transform: &Transform) -> bool {
    transform.rotation == Quat::IDENTITY && transform.scale == Vec3::ONE
}

#[inline]
fn is_in_world(place: Vec2) -> bool {
    // False for NaN.
    place.abs().cmple(Vec2::splat(MAX_COORDINATE)).all()
}

/// Scale per local axis, without sign: the lengths of the columns. Rotation does not change them.
fn scale_of(global: &GlobalTransform) -> Vec2 {
    let matrix = global.affine().matrix3;
    Vec2::new(matrix.x_axis.length(), matrix.y_axis.length())
}

fn warn_of(row: &Row, names: &Query<&Name>, poses: &Poses) {
    let Err(refusal) = gather_collider(&parts(row), poses) else {
        return;
    };
    let (entity, _, circle, rectangle, bounds, ..) = row;
    let name = names
        .get(*entity)
        .map(|name| format!(" ({name})"))
        .unwrap_or_default();
    let writer = circle
        .as_ref()
        .map(Ref::changed_by)
        .or(rectangle.as_ref().map(Ref::changed_by))
        .or(bounds.as_ref().map(Ref::changed_by))
        .and_then(MaybeLocation::into_option)
        .map(|place| format!("; last written at {place}"))
        .unwrap_or_default();
    warn!("The collider of {entity}{name} takes no part until this is mended: {refusal}{writer}");
}
