use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Mutex;
use rivals::{engines, workloads};
struct A;
static LIVE: Mutex<Option<HashMap<usize, (usize, String)>>> = Mutex::new(None);
thread_local!(static IN: Cell<bool> = const { Cell::new(false) });
const BIG: usize = 100_000;
fn note(p: *mut u8, size: usize) {
    if IN.get() { return; }
    IN.set(true);
    let mut l = LIVE.lock().unwrap();
    if let Some(m) = l.as_mut() {
        if size >= BIG {
            let b = std::backtrace::Backtrace::force_capture().to_string();
            let t: Vec<&str> = b.lines().filter(|l| (l.contains("bevy_nudge::") || l.contains("bevy_ecs")) && !l.contains(" at ")).take(4).map(str::trim).collect();
            m.insert(p as usize, (size, t.join(" < ")));
        }
    }
    drop(l);
    IN.set(false);
}
fn gone(p: *mut u8) {
    if IN.get() { return; }
    IN.set(true);
    if let Some(m) = LIVE.lock().unwrap().as_mut() { m.remove(&(p as usize)); }
    IN.set(false);
}
unsafe impl GlobalAlloc for A {
    unsafe fn alloc(&self, l: Layout) -> *mut u8 { let p = unsafe { System.alloc(l) }; note(p, l.size()); p }
    unsafe fn dealloc(&self, p: *mut u8, l: Layout) { if l.size() >= BIG { gone(p); } unsafe { System.dealloc(p, l) } }
    unsafe fn realloc(&self, p: *mut u8, l: Layout, n: usize) -> *mut u8 { if l.size() >= BIG { gone(p); } let q = unsafe { System.realloc(p, l, n) }; note(q, n); q }
}
#[global_allocator]
static G: A = A;
fn main() {
    let count = 100_000;
    for name in std::env::args().skip(1) {
        let workload = workloads::workload(Box::leak(name.clone().into_boxed_str()), count);
        *LIVE.lock().unwrap() = Some(HashMap::new());
        let mut engine = engines::engine("bevy_nudge", &workload).unwrap();
        for _ in 0..20 { engine.app.update(); }
        IN.set(true);
        let m = LIVE.lock().unwrap().take().unwrap();
        let mut by: HashMap<String, (usize, usize)> = HashMap::new();
        for (s, t) in m.values() { let e = by.entry(t.clone()).or_default(); e.0 += s; e.1 += 1; }
        let mut v: Vec<_> = by.into_iter().collect();
        v.sort_by_key(|x| std::cmp::Reverse(x.1.0));
        println!("== {name}");
        for (t, (s, n)) in v { println!("{:8.1} {n:4} {t}", s as f64 / count as f64); }
        IN.set(false);
    }
}
