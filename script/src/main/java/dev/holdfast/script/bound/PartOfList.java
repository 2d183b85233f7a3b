package dev.holdfast.script.bound;

import dev.holdfast.script.runtime.VisitBounds;
import java.util.AbstractList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.RandomAccess;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A view of a part of a list that counts what moves, or is walked past, in all of the list: a part
/// of one element may lie in a list of a million.
class PartOfList extends AbstractList<@Nullable Object> {
  private final List<@Nullable Object> whole;
  private final List<@Nullable Object> view;

  private PartOfList(List<@Nullable Object> whole, List<@Nullable Object> view) {
    this.whole = whole;
    this.view = view;
  }

  /// A part whose elements are found at once.
  private static final class Quick extends PartOfList implements RandomAccess {
    Quick(List<@Nullable Object> whole, List<@Nullable Object> view) {
      super(whole, view);
    }
  }

  /// As [List#subList].
  @SuppressWarnings("unchecked") // what a script holds holds anything
  static PartOfList of(List<?> list, int from, int to) {
    List<@Nullable Object> view = (List<@Nullable Object>) list;
    List<@Nullable Object> whole = view;
    if (list instanceof PartOfList part) {
      view = part.view;
      whole = part.whole;
    }
    List<@Nullable Object> of = view.subList(from, to);
    return whole instanceof RandomAccess ? new Quick(whole, of) : new PartOfList(whole, of);
  }

  /// The list that an element of this one lies in: itself for one that is no part.
  static List<?> whole(List<?> list) {
    return list instanceof PartOfList part ? part.whole : list;
  }

  private List<@Nullable Object> moving() {
    VisitBounds.countMove(whole);
    return view;
  }

  @Override
  public int size() {
    return view.size();
  }

  @Override
  public @Nullable Object get(int at) {
    VisitBounds.countWalk(whole);
    return view.get(at);
  }

  @Override
  public @Nullable Object set(int at, @Nullable Object value) {
    VisitBounds.countWalk(whole);
    return view.set(at, value);
  }

  @Override
  public void add(int at, @Nullable Object value) {
    moving().add(at, value);
  }

  @Override
  public boolean addAll(Collection<? extends @Nullable Object> more) {
    return moving().addAll(more);
  }

  @Override
  public boolean addAll(int at, Collection<? extends @Nullable Object> more) {
    return moving().addAll(at, more);
  }

  @Override
  public @Nullable Object remove(int at) {
    return moving().remove(at);
  }

  @Override
  public boolean remove(@Nullable Object value) {
    return moving().remove(value);
  }

  @Override
  public boolean removeIf(Predicate<? super @Nullable Object> test) {
    return moving().removeIf(test);
  }

  @Override
  public boolean removeAll(Collection<?> values) {
    return moving().removeAll(values);
  }

  @Override
  public boolean retainAll(Collection<?> values) {
    return moving().retainAll(values);
  }

  @Override
  public void clear() {
    moving().clear();
  }

  @Override
  public Iterator<@Nullable Object> iterator() {
    return listIterator(0);
  }

  @Override
  public ListIterator<@Nullable Object> listIterator(int at) {
    VisitBounds.countWalk(whole);
    return view.listIterator(at);
  }
}
