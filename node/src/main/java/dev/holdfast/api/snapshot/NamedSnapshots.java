package dev.holdfast.api.snapshot;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.repository.Repositories;
import dev.holdfast.clusterstate.repository.Repository;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.repository.RepositoryStores;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.indexing.repository.SnapshotRepository.Found;
import dev.holdfast.indexing.snapshot.SnapshotState;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.Wildcards;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/// The snapshots that a request names.
public record NamedSnapshots(Metadata metadata, RepositoryStores stores) {
  /// Those that are being made.
  static final String CURRENT = "_current";

  /// Snapshots of some names and patterns.
  ///
  /// @param unread those that patterns find and nobody can read, as errors name them
  record Meant(List<ShownSnapshot> snapshots, List<String> unread) {
    /// What there is to tell of those that are not shown; empty for nothing.
    String warning() {
      return unread.isEmpty() ? "" : "snapshots that cannot be read are left out: " + unread;
    }
  }

  /// One that cannot be read hides no other from those who ask for all.
  ///
  /// @param repositories names and patterns
  /// @param names names and patterns; `_all`, `_current`, those behind a `-` are left out
  /// @throws Refusal `repository_missing_exception`, `snapshot_missing_exception`;
  ///   `snapshot_exception` for one that is named and cannot be read
  Meant find(List<String> repositories, List<String> names, boolean ignoresUnavailable)
      throws IOException {
    List<ShownSnapshot> found = new ArrayList<>();
    List<String> unread = new ArrayList<>();
    for (Repository repository : RepositoriesApi.named(metadata.current(), repositories).values()) {
      SnapshotRepository opened = stores.open(repository);
      for (Found one : in(opened, names, ignoresUnavailable)) {
        if (isGone(one) || (names.equals(List.of(CURRENT)) && !isCurrent(one))) {
          continue;
        }
        if (one.damage() == null || (names.contains(one.name()) && !ignoresUnavailable)) {
          found.add(shown(opened, one));
        } else if (!ignoresUnavailable) {
          unread.add("[" + opened.name() + ":" + one.name() + "]");
        }
      }
    }
    return new Meant(found, unread);
  }

  private static boolean isGone(Found one) {
    return one.manifest() != null && one.manifest().state() == SnapshotState.DELETING;
  }

  /// Those that are being made, of repositories by names and patterns; one that is not there has
  /// none.
  List<ShownSnapshot> current(List<String> repositories) throws IOException {
    Set<String> all = Repositories.all(metadata.current()).keySet();
    List<String> there =
        repositories.stream().filter(name -> isWordOrPattern(name) || all.contains(name)).toList();
    boolean areNone = there.isEmpty() && !repositories.isEmpty();
    return areNone ? List.of() : find(there, List.of(CURRENT), false).snapshots();
  }

  /// Those of these names, as they stand: a pattern is a name that none has.
  ///
  /// @throws Refusal `snapshot_missing_exception`
  List<ShownSnapshot> named(Repository repository, List<String> names, boolean ignoresUnavailable)
      throws IOException {
    SnapshotRepository opened = stores.open(repository);
    List<Found> there = new ArrayList<>(opened.read(names.stream().distinct().toList()));
    there.removeIf(one -> isGone(one) || (ignoresUnavailable && one.damage() != null));
    if (!ignoresUnavailable) {
      requireThere(opened, names, there);
    }
    return there.stream().map(one -> shown(opened, one)).toList();
  }

  /// All snapshots of the repositories that a request names, oldest first.
  ///
  /// @param warnings takes what there is to tell of those that cannot be read
  public List<SnapshotLine> lines(ApiRequest request, Consumer<String> warnings)
      throws IOException {
    Meant meant =
        find(
            request.list("repository"), List.of("_all"), request.flag("ignore_unavailable", false));
    if (!meant.unread().isEmpty()) {
      warnings.accept(meant.warning());
    }
    return meant.snapshots().stream()
        .sorted(SnapshotSort.START_TIME.order())
        .map(SnapshotLine::of)
        .toList();
  }

  private static boolean isCurrent(Found one) {
    return one.manifest() != null && one.manifest().state() == SnapshotState.STARTED;
  }

  private static ShownSnapshot shown(SnapshotRepository repository, Found one) {
    try {
      return new ShownSnapshot(repository.name(), one.whole());
    } catch (IOException e) {
      throw new Refusal(
          ErrorType.SNAPSHOT,
          "["
              + repository.name()
              + ":"
              + one.name()
              + "] could not read repository data: "
              + e.getMessage(),
          e);
    }
  }

  private static List<Found> in(
      SnapshotRepository repository, List<String> names, boolean ignoresUnavailable)
      throws IOException {
    List<String> plain = names.stream().filter(name -> !isWordOrPattern(name)).toList();
    boolean isPlain = plain.size() == names.size() && !names.isEmpty();
    List<Found> found = repository.read(isPlain ? plain : matching(repository.names(), names));
    if (!ignoresUnavailable) {
      requireThere(repository, plain, found);
    }
    return found;
  }

  private static void requireThere(
      SnapshotRepository repository, List<String> names, List<Found> found) {
    Set<String> there = new TreeSet<>();
    found.forEach(one -> there.add(one.name()));
    for (String name : names) {
      if (!there.contains(name)) {
        throw SnapshotNames.missing(repository.name(), name);
      }
    }
  }

  private static boolean isWordOrPattern(String name) {
    return Wildcards.isPattern(name) || isWord(name);
  }

  private static boolean isWord(String name) {
    return name.equals("_all") || name.equals(CURRENT) || name.startsWith("-");
  }

  /// The same of indices: where names to be left out come first, all others are meant.
  static List<String> ofIndices(List<String> names) {
    if (names.isEmpty() || !names.getFirst().startsWith("-")) {
      return names;
    }
    List<String> whole = new ArrayList<>(List.of("_all"));
    whole.addAll(names);
    return whole;
  }

  /// The names that are meant, of all that there are.
  static List<String> matching(List<String> all, List<String> names) {
    Set<String> meant = new TreeSet<>();
    for (String name : names) {
      if (name.equals("_all") || name.equals(CURRENT)) {
        meant.addAll(all);
      } else if (name.startsWith("-")) {
        meant.removeIf(one -> Wildcards.matches(name.substring(1), one));
      } else {
        all.stream().filter(one -> Wildcards.matches(name, one)).forEach(meant::add);
      }
    }
    return List.copyOf(meant);
  }
}
