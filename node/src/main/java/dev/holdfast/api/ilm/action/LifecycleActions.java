package dev.holdfast.api.ilm.action;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Every action that a lifecycle policy may have, and which phases may have which.
public final class LifecycleActions {
  private static final Map<String, LifecycleAction> ALL = new LinkedHashMap<>();

  /// The phases in their order, each with its actions in theirs.
  private static final Map<String, List<String>> PHASES = new LinkedHashMap<>();

  static {
    for (LifecycleAction action :
        List.of(
            new RolloverAction(),
            new DeleteAction(),
            new ForceMergeAction(),
            new ReadonlyAction(),
            new ShrinkAction(),
            new SetPriorityAction(),
            new AllocateAction(),
            new WaitForSnapshotAction(),
            IdleActions.migrate(),
            IdleActions.unfollow(),
            IdleActions.searchableSnapshot(),
            new DownsampleAction())) {
      ALL.put(action.name(), action);
    }
    PHASES.put(
        "hot",
        List.of(
            "set_priority",
            "unfollow",
            "rollover",
            "readonly",
            "downsample",
            "shrink",
            "forcemerge",
            "searchable_snapshot"));
    PHASES.put(
        "warm",
        List.of(
            "set_priority",
            "unfollow",
            "readonly",
            "downsample",
            "allocate",
            "migrate",
            "shrink",
            "forcemerge"));
    PHASES.put(
        "cold",
        List.of(
            "set_priority",
            "unfollow",
            "readonly",
            "downsample",
            "searchable_snapshot",
            "allocate",
            "migrate"));
    PHASES.put("frozen", List.of("unfollow", "searchable_snapshot"));
    PHASES.put("delete", List.of("wait_for_snapshot", "delete"));
  }

  private LifecycleActions() {}

  /// An action by its name; null for none.
  public static @Nullable LifecycleAction find(String name) {
    return ALL.get(name);
  }

  /// The names of the phases in their order.
  public static List<String> phases() {
    return List.copyOf(PHASES.keySet());
  }

  /// The names of the actions that a phase may have, in the order in which they are done; null for
  /// an unknown phase.
  public static @Nullable List<String> of(String phase) {
    return PHASES.get(phase);
  }
}
