package dev.holdfast.node.wiring;

import dev.holdfast.script.CompiledScripts;
import dev.holdfast.script.ScriptRules;
import dev.holdfast.world.Breakers;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import java.util.List;

/// A world whose threads work for certain rooms: their scripts are bound on them, and their pools
/// are remembered.
///
/// @param scripts of the rooms
public record BoundThreads(World world, CompiledScripts scripts, RecordingTasks tasks) {
  /// @param tasks the threads, beneath
  /// @param memory budgets of the rooms
  public static BoundThreads of(World outside, Tasks tasks, Breakers memory, ScriptRules rules) {
    RecordingTasks recording = new RecordingTasks(tasks);
    CompiledScripts scripts = new CompiledScripts(rules);
    World world =
        new World(
            outside.clock(),
            outside.sleeper(),
            outside.ids(),
            outside.chance(),
            new CarryingTasks(recording, scripts),
            memory);
    return new BoundThreads(world, scripts, recording);
  }

  /// Those made so far.
  List<WorkPool> pools() {
    return tasks.pools();
  }
}
