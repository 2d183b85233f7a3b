package dev.holdfast.script.bound;

import dev.holdfast.script.runtime.VisitBounds;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// As [VisitBounds], of what moves when an iterator or a part of a list takes an element out, or
/// puts one in.
@SuppressWarnings("unchecked") // what a script holds holds anything
public final class MoveBounds {
  private MoveBounds() {}

  public static Iterator<?> iterator(Iterable<?> of) {
    return of instanceof Collection<?> collection && moves(collection)
        ? new Moving(collection, collection.iterator())
        : of.iterator();
  }

  public static Iterator<?> descendingIterator(Deque<?> of) {
    return moves(of) ? new Moving(of, of.descendingIterator()) : of.descendingIterator();
  }

  public static ListIterator<?> listIterator(List<?> of) {
    return listIterator(of, of.listIterator());
  }

  public static ListIterator<?> listIterator(List<?> of, int at) {
    ScanBounds.countSteps(of);
    return listIterator(of, of.listIterator(at));
  }

  private static ListIterator<?> listIterator(List<?> of, ListIterator<?> plain) {
    return moves(of) ? new MovingBothWays(of, (ListIterator<@Nullable Object>) plain) : plain;
  }

  public static List<?> subList(List<?> of, int from, int to) {
    return PartOfList.of(of, from, to);
  }

  /// Whether others move when one goes. Views of the JDK are taken for what they may show.
  private static boolean moves(Collection<?> of) {
    return (of instanceof List && !(of instanceof LinkedList))
        || of instanceof ArrayDeque
        || of instanceof PriorityQueue
        || (of.getClass().getName().startsWith("java.util.Collections$") && !(of instanceof Set));
  }

  /// An iterator whose removals count.
  private static class Moving implements Iterator<@Nullable Object> {
    private final Collection<?> of;
    private final Iterator<?> plain;

    /// Elements that lie before the next one.
    private int passed;

    Moving(Collection<?> of, Iterator<?> plain) {
      this.of = of;
      this.plain = plain;
    }

    @Override
    public final boolean hasNext() {
      return plain.hasNext();
    }

    @Override
    public final @Nullable Object next() {
      Object next = plain.next();
      passed++;
      return next;
    }

    @Override
    public final void remove() {
      switch (of) {
        case List<?> list -> VisitBounds.countMove(PartOfList.whole(list));
        case ArrayDeque<?> _ -> // the nearer end moves
            VisitBounds.count(Math.min(passed, of.size() - passed));
        default -> VisitBounds.count(of.size());
      }
      plain.remove();
      passed--;
    }

    @Override
    public final void forEachRemaining(Consumer<? super @Nullable Object> action) {
      plain.forEachRemaining(action);
    }
  }

  private static final class MovingBothWays extends Moving
      implements ListIterator<@Nullable Object> {
    private final List<?> list;
    private final ListIterator<@Nullable Object> plain;

    MovingBothWays(List<?> list, ListIterator<@Nullable Object> plain) {
      super(list, plain);
      this.list = list;
      this.plain = plain;
    }

    @Override
    public boolean hasPrevious() {
      return plain.hasPrevious();
    }

    @Override
    public @Nullable Object previous() {
      return plain.previous();
    }

    @Override
    public int nextIndex() {
      return plain.nextIndex();
    }

    @Override
    public int previousIndex() {
      return plain.previousIndex();
    }

    @Override
    public void set(@Nullable Object value) {
      plain.set(value);
    }

    @Override
    public void add(@Nullable Object value) {
      VisitBounds.countMove(PartOfList.whole(list));
      plain.add(value);
    }
  }
}
