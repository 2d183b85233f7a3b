package dev.holdfast.document.batch;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// What a member name means at one level of the mapping.
final class ResolvedMember {
  /// What becomes of the value.
  enum Action {
    FIELD,
    OBJECT,
    /// Kept in `_source` only.
    SKIP,
    /// The mapping lacks it and grows.
    UNKNOWN,
    /// The mapping lacks it and must not grow.
    STRICT,
    /// No document may have it: [#fault] says why.
    FAULT
  }

  private static final byte[] UNFORESEEABLE = {0};
  private static final Sink[] NO_SINKS = {};

  final byte[] name;
  final byte[] quoted;
  final int hash;
  final Action action;
  final @Nullable Level level;
  final Sink[] sinks;

  /// How deep the document lies that gets the value, for each of [#sinks]; null when it is the one
  /// being read for all.
  final int @Nullable [] depths;

  /// Nested objects that a name with dots opens on its way.
  Level @Nullable [] opens;

  final String fault;

  /// Whether doc values say all of a single value, in an index whose sources are synthetic.
  boolean leavesNothing;

  /// The member that followed this one last time.
  @Nullable ResolvedMember next;

  /// Whether its level remembers it; only then are [#next] and [#seenIn] of use.
  boolean isKept;

  /// The object that has this name already.
  long seenIn = -1;

  private ResolvedMember(
      byte[] name,
      int hash,
      Action action,
      @Nullable Level level,
      Sink[] sinks,
      int @Nullable [] depths,
      String fault) {
    this.name = name;
    this.hash = hash;
    this.quoted = quoted(name);
    this.action = action;
    this.level = level;
    this.sinks = sinks;
    this.depths = depths;
    this.fault = fault;
  }

  static ResolvedMember of(byte[] name, int hash, Action action) {
    return new ResolvedMember(name, hash, action, null, NO_SINKS, null, "");
  }

  static ResolvedMember field(byte[] name, int hash, Sink[] sinks, int @Nullable [] depths) {
    return new ResolvedMember(name, hash, Action.FIELD, null, sinks, depths, "");
  }

  static ResolvedMember object(byte[] name, int hash, Level level) {
    return new ResolvedMember(name, hash, Action.OBJECT, level, NO_SINKS, null, "");
  }

  /// The same, with a level for values that are objects.
  ResolvedMember opening(Level inner) {
    return new ResolvedMember(name, hash, action, inner, sinks, depths, fault);
  }

  static ResolvedMember fault(byte[] name, int hash, String fault) {
    return new ResolvedMember(name, hash, Action.FAULT, null, NO_SINKS, null, fault);
  }

  /// The name as it stands in JSON, with quotes and colon; a name that needs escapes is never
  /// foreseen.
  private static byte[] quoted(byte[] name) {
    byte[] quoted = new byte[name.length + 3];
    quoted[0] = '"';
    for (int i = 0; i < name.length; i++) {
      if (name[i] == '"' || name[i] == '\\' || (name[i] >= 0 && name[i] < ' ')) {
        return UNFORESEEABLE;
      }
      quoted[i + 1] = name[i];
    }
    quoted[name.length + 1] = '"';
    quoted[name.length + 2] = ':';
    return quoted;
  }

  String text() {
    return new String(name, StandardCharsets.UTF_8);
  }
}
