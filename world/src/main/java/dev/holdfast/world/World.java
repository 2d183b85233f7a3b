package dev.holdfast.world;

/// What a process gets from outside itself; one is made in `main` and passed down by constructors.
///
/// @param clock time
/// @param sleeper waiting
/// @param ids unique names
/// @param chance random numbers
/// @param tasks threads
/// @param memory budgets of the heap
public record World(
    Clock clock, Sleeper sleeper, Ids ids, Chance chance, Tasks tasks, Breakers memory) {
  /// One whose memory has no bounds but its own.
  public World(Clock clock, Sleeper sleeper, Ids ids, Chance chance, Tasks tasks) {
    this(clock, sleeper, ids, chance, tasks, Breakers.unlimited());
  }

  /// The same, with a clock that goes on while the machine is suspended.
  public World throughSuspension() {
    return new World(clock.throughSuspension(), sleeper, ids, chance, tasks, memory);
  }
}
