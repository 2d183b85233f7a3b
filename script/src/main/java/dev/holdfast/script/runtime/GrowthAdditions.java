package dev.holdfast.script.runtime;

import java.util.Collection;
import java.util.Deque;
import java.util.Dictionary;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.Stack;
import java.util.StringJoiner;
import java.util.Vector;
import org.jspecify.annotations.Nullable;

/// Methods of the JDK that make something larger by an element: the same, after asking the budget.
/// A loop of a million rounds may call each of them many times a round.
// What scripts name and hold.
@SuppressWarnings({"unchecked", "JdkObsolete", "NonApiType"})
public final class GrowthAdditions {
  /// A place in a list, and a number in it.
  private static final int ELEMENT_BYTES = 24;

  /// A node of a map or a set, its place, and what is in it at least.
  private static final int ENTRY_BYTES = 64;

  private GrowthAdditions() {}

  /// Asks for one more element of a collection.
  static void element(Collection<?> of) {
    Budget.charge(of instanceof Set ? ENTRY_BYTES : ELEMENT_BYTES);
  }

  /// Asks for what a map has more than before.
  static <T extends @Nullable Object> T entry(Map<?, ?> of, int sizeBefore, T result) {
    if (of.size() > sizeBefore) {
      Budget.charge(ENTRY_BYTES);
    }
    return result;
  }

  public static void add(List<?> to, int at, @Nullable Object value) {
    element(to);
    VisitBounds.countMove(to);
    any(to).add(at, value);
  }

  public static void add(ListIterator<?> to, @Nullable Object value) {
    Budget.charge(ELEMENT_BYTES);
    ((ListIterator<@Nullable Object>) to).add(value);
  }

  @SuppressWarnings("NullAway") // which deques take nulls is theirs to say
  public static void addFirst(Deque<?> to, @Nullable Object value) {
    any(to).addFirst(value);
  }

  @SuppressWarnings("NullAway") // which deques take nulls is theirs to say
  public static void addLast(Deque<?> to, @Nullable Object value) {
    any(to).addLast(value);
  }

  @SuppressWarnings("NullAway") // which deques take nulls is theirs to say
  public static boolean offerFirst(Deque<?> to, @Nullable Object value) {
    return any(to).offerFirst(value);
  }

  @SuppressWarnings("NullAway") // which deques take nulls is theirs to say
  public static boolean offerLast(Deque<?> to, @Nullable Object value) {
    return any(to).offerLast(value);
  }

  @SuppressWarnings("NullAway") // which deques take nulls is theirs to say
  public static void push(Deque<?> to, @Nullable Object value) {
    any(to).push(value);
  }

  public static boolean offer(Queue<?> to, @Nullable Object value) {
    element(to);
    return ((Queue<@Nullable Object>) to).offer(value);
  }

  public static @Nullable Object push(Stack<?> to, @Nullable Object value) {
    element(to);
    return ((Stack<@Nullable Object>) to).push(value);
  }

  public static void addElement(Vector<?> to, @Nullable Object value) {
    element(to);
    ((Vector<@Nullable Object>) to).addElement(value);
  }

  public static void insertElementAt(Vector<?> to, @Nullable Object value, int at) {
    element(to);
    ((Vector<@Nullable Object>) to).insertElementAt(value, at);
  }

  public static @Nullable Object put(
      Dictionary<?, ?> in, @Nullable Object key, @Nullable Object value) {
    Budget.charge(ENTRY_BYTES);
    return ((Dictionary<@Nullable Object, @Nullable Object>) in).put(Contents.bounded(key), value);
  }

  public static StringJoiner add(StringJoiner to, CharSequence text) {
    Budget.charge(ELEMENT_BYTES + 2L * text.length());
    return to.add(text);
  }

  private static List<@Nullable Object> any(List<?> list) {
    return (List<@Nullable Object>) list;
  }

  private static Deque<Object> any(Deque<?> deque) {
    element(deque);
    return (Deque<Object>) deque;
  }
}
