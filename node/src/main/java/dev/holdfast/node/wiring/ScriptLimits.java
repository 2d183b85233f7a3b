package dev.holdfast.node.wiring;

import dev.holdfast.api.script.StoredScripts;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.script.CompilationRate;
import dev.holdfast.script.CompiledScripts;
import dev.holdfast.world.Clock;

/// Keeps the limits of a node's scripts at what the cluster's settings say:
/// `script.max_size_in_bytes` and `script.max_compilations_rate`.
public final class ScriptLimits {
  public static final String BYTES = "script.max_size_in_bytes";
  public static final String RATE = "script.max_compilations_rate";

  private ScriptLimits() {}

  static void follow(Metadata metadata, CompiledScripts scripts, Clock clock) {
    metadata.listen((before, now) -> scripts.limit(of(now), clock));
  }

  private static CompiledScripts.Limits of(ClusterState state) {
    Object bytes = state.setting(BYTES);
    Object rate = state.setting(RATE);
    return new CompiledScripts.Limits(
        bytes == null ? CompiledScripts.BYTES_MAX : Integer.parseInt(bytes.toString()),
        rate == null ? CompilationRate.UNLIMITED : rate.toString(),
        StoredScripts.texts(state));
  }
}
