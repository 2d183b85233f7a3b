package dev.holdfast.document.batch;

import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.mapping.tree.Dynamic;
import dev.holdfast.document.mapping.tree.LeafMapping;
import dev.holdfast.document.mapping.tree.MappingNode;
import dev.holdfast.document.mapping.tree.Nesting;
import dev.holdfast.document.mapping.tree.ObjectMapping;
import dev.holdfast.document.scan.Hashes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// One object of the mapping as the scanner meets it: its member names by their bytes. Names are
/// resolved when first met.
final class Level {
  /// Names kept a level; documents with more new names than that are read without memory of them.
  private static final int SLOTS_MAX = 8192;

  private final Sinks sinks;
  private final ObjectMapping object;
  private final Dynamic dynamic;
  private final Map<String, Level> children = new TreeMap<>();
  private @Nullable ResolvedMember[] table = new @Nullable ResolvedMember[32];
  private int size;

  /// What stands before the first member.
  final ResolvedMember head = ResolvedMember.of(new byte[0], 0, ResolvedMember.Action.SKIP);

  /// How many nested objects lie around this object's members; 0 in the document itself.
  final int depth;

  /// The path of a nested object; empty for others.
  final byte[] nestedPath;

  /// Whether it is nested, or holds a nested object.
  final boolean leadsToNested;

  private final @Nullable Level parent;

  /// What names begin with, in an object of a document whose mapping has no subobjects.
  private final String prefix;

  Level(Sinks sinks, ObjectMapping object, Dynamic inherited, @Nullable Level parent) {
    this(sinks, object, inherited, parent, "");
  }

  private Level(
      Sinks sinks, ObjectMapping object, Dynamic inherited, @Nullable Level parent, String prefix) {
    this.prefix = prefix;
    this.sinks = sinks;
    this.object = object;
    this.dynamic = object.dynamic() == null ? inherited : object.dynamic();
    this.parent = parent;
    int around = parent == null ? 0 : parent.depth;
    this.depth = object.isNested() && prefix.isEmpty() ? around + 1 : around;
    this.nestedPath =
        object.isNested() ? object.path().getBytes(StandardCharsets.UTF_8) : new byte[0];
    this.leadsToNested = leadsToNested(object);
  }

  private static boolean leadsToNested(ObjectMapping object) {
    return object.isNested()
        || object.members().values().stream()
            .anyMatch(member -> member instanceof ObjectMapping inner && leadsToNested(inner));
  }

  boolean isNested() {
    return object.isNested() && prefix.isEmpty();
  }

  String path() {
    return object.path();
  }

  /// The slot of a name, made when it is new.
  ResolvedMember slot(byte[] bytes, int offset, int length) {
    int hash = Hashes.of(bytes, offset, length);
    int at = hash & (table.length - 1);
    for (ResolvedMember slot = table[at]; slot != null; slot = table[at]) {
      if (slot.hash == hash
          && Arrays.equals(slot.name, 0, slot.name.length, bytes, offset, offset + length)) {
        return slot;
      }
      at = (at + 1) & (table.length - 1);
    }
    ResolvedMember made = resolve(Arrays.copyOfRange(bytes, offset, offset + length), hash);
    if (size < SLOTS_MAX) {
      table[at] = made;
      made.isKept = true;
      if (++size * 2 > table.length) {
        grow();
      }
    }
    return made;
  }

  private void grow() {
    @Nullable ResolvedMember[] old = table;
    table = new @Nullable ResolvedMember[2 * old.length];
    for (ResolvedMember slot : old) {
      if (slot != null) {
        int at = slot.hash & (table.length - 1);
        while (table[at] != null) {
          at = (at + 1) & (table.length - 1);
        }
        table[at] = slot;
      }
    }
  }

  private ResolvedMember resolve(byte[] name, int hash) {
    String text = new String(name, StandardCharsets.UTF_8);
    if (object.path().isEmpty() && prefix.isEmpty() && text.equals(MetadataFields.DOC_COUNT)) {
      return sinks.counts(name, hash);
    }
    String fault = faultOf(text);
    if (fault != null) {
      return ResolvedMember.fault(name, hash, fault);
    }
    if (object.isFlat()) {
      return resolveFlat(prefix + text, name, hash);
    }
    Level level = this;
    List<Level> opened = new ArrayList<>();
    String rest = text;
    for (int dot = rest.indexOf('.'); dot >= 0 && !level.object.isFlat(); dot = rest.indexOf('.')) {
      String first = rest.substring(0, dot);
      switch (level.object.members().get(first)) {
        case ObjectMapping inner -> {
          if (!inner.isEnabled()) {
            return ResolvedMember.of(name, hash, ResolvedMember.Action.SKIP);
          }
          level = level.child(first, inner);
          if (level.isNested()) {
            opened.add(level);
          }
        }
        case LeafMapping leaf -> {
          return ResolvedMember.fault(
              name,
              hash,
              "Could not dynamically add mapping for field ["
                  + level.object.child(rest)
                  + "]. Existing mapping for ["
                  + leaf.path()
                  + "] must be of type object but found ["
                  + leaf.type().typeName()
                  + "].");
        }
        case null -> {
          return level.unmapped(rest, name, hash);
        }
      }
      rest = rest.substring(dot + 1);
    }
    ResolvedMember slot =
        level.object.isFlat()
            ? level.resolveFlat(rest, name, hash)
            : level.resolveLast(rest, name, hash);
    slot.opens = opened.isEmpty() ? null : opened.toArray(Level[]::new);
    return slot;
  }

  /// A name in an object without subobjects: a field, and where its value is an object, the
  /// beginning of names.
  private ResolvedMember resolveFlat(String whole, byte[] name, int hash) {
    ResolvedMember slot = resolveLast(whole, name, hash);
    Level inner =
        children.computeIfAbsent(
            whole + ".", begin -> new Level(sinks, object, dynamic, this, begin));
    return slot.opening(inner);
  }

  private ResolvedMember resolveLast(String last, byte[] name, int hash) {
    MappingNode member = object.members().get(last);
    return switch (member) {
      case ObjectMapping inner when inner.isEnabled() -> {
        ResolvedMember slot = ResolvedMember.object(name, hash, child(last, inner));
        slot.leavesNothing = sinks.leavesNothing(inner.path());
        yield slot;
      }
      case ObjectMapping _ -> ResolvedMember.of(name, hash, ResolvedMember.Action.SKIP);
      case LeafMapping leaf when leaf.script() != null ->
          ResolvedMember.fault(
              name,
              hash,
              "Cannot index data directly into a field with a [script] parameter: ["
                  + leaf.path()
                  + "]");
      case LeafMapping leaf ->
          leaf.type().learns() || (dynamic != Dynamic.FALSE && sinks.lacksTarget(leaf))
              ? ResolvedMember.of(name, hash, ResolvedMember.Action.UNKNOWN)
              : sinks.slot(name, hash, leaf, this);
      case null -> unmapped(last, name, hash);
    };
  }

  /// A name that the mapping lacks. Runtime fields lie in objects that it lacks too, so those are
  /// walked: only what is new asks for an update.
  private ResolvedMember unmapped(String rest, byte[] name, int hash) {
    String path = object.child(rest);
    if (sinks.isRuntime(path)) {
      return ResolvedMember.of(name, hash, ResolvedMember.Action.SKIP);
    }
    return switch (dynamic) {
      case TRUE -> ResolvedMember.of(name, hash, ResolvedMember.Action.UNKNOWN);
      case STRICT -> ResolvedMember.of(name, hash, ResolvedMember.Action.STRICT);
      case FALSE -> ResolvedMember.of(name, hash, ResolvedMember.Action.SKIP);
      case RUNTIME ->
          ResolvedMember.of(name, hash, ResolvedMember.Action.UNKNOWN)
              .opening(new Level(sinks, ObjectMapping.unmapped(path), dynamic, this));
    };
  }

  private Level child(String name, ObjectMapping inner) {
    return children.computeIfAbsent(name, _ -> new Level(sinks, inner, dynamic, this));
  }

  /// How deep the documents lie that get this object's values too, besides its own.
  SortedSet<Integer> alsoAt() {
    SortedSet<Integer> depths = new TreeSet<>();
    boolean isDirect = true;
    for (Level level = this; level != null; level = level.parent) {
      Nesting nesting = level.object.nesting();
      if (nesting != null && (isDirect || depths.contains(level.depth))) {
        if (nesting.includeInParent()) {
          depths.add(level.depth - 1);
        }
        if (nesting.includeInRoot()) {
          depths.add(0);
        }
        isDirect = false;
      }
    }
    depths.remove(depth);
    return depths;
  }

  private @Nullable String faultOf(String name) {
    if (object.path().isEmpty() && sinks.isMetadata(name)) {
      return "Field ["
          + name
          + "] is a metadata field and cannot be added inside a document. Use the index API request"
          + " parameters.";
    }
    if (name.isEmpty()) {
      return "field name cannot be an empty string";
    }
    if (name.isBlank()) {
      return "field name cannot contain only whitespace";
    }
    if (name.startsWith(".") || name.endsWith(".") || name.contains("..")) {
      return "field name starting or ending with a [.] makes object resolution ambiguous: ["
          + name
          + "]";
    }
    return null;
  }
}
