package dev.holdfast.architecture;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The packages of the product's own code, by module, and which go in circles.
///
/// @param rooms packages by module, in the order of the modules
/// @param cycles sets of packages each of which reaches all others of its set
public record House(List<Room> rooms, List<SortedSet<String>> cycles) {
  /// A package has no more files, counting its docs.
  public static final int FILES_MAX = 30;

  /// A file has no more lines.
  public static final int LINES_MAX = 400;

  /// A Maven module.
  public record Room(String module, List<Shelf> shelves) {
    /// Files in all packages.
    public int files() {
      return shelves.stream().mapToInt(Shelf::files).sum();
    }
  }

  /// A package.
  ///
  /// @param files with its docs
  /// @param largest lines of its largest file
  /// @param uses other packages of ours
  public record Shelf(
      String packageName, int files, int lines, int largest, SortedSet<String> uses) {}

  /// The house that these sources make, tests left out.
  public static House of(SourceTree tree) {
    List<Room> rooms = new ArrayList<>();
    SortedMap<String, SortedSet<String>> uses = new TreeMap<>();
    for (String module : tree.modules()) {
      SortedMap<String, List<SourceFile>> packages = new TreeMap<>();
      for (SourceFile file : tree.files()) {
        if (file.module().equals(module) && !file.isTest()) {
          packages.computeIfAbsent(file.packageName(), _ -> new ArrayList<>()).add(file);
        }
      }
      List<Shelf> shelves = packages.entrySet().stream().map(House::shelf).toList();
      shelves.forEach(shelf -> uses.put(shelf.packageName(), shelf.uses()));
      if (!shelves.isEmpty()) {
        rooms.add(new Room(module, shelves));
      }
    }
    return new House(List.copyOf(rooms), cycles(uses));
  }

  private static Shelf shelf(Map.Entry<String, List<SourceFile>> of) {
    SortedSet<String> uses = new TreeSet<>();
    of.getValue().forEach(file -> uses.addAll(file.uses()));
    uses.remove(of.getKey());
    return new Shelf(
        of.getKey(),
        of.getValue().size(),
        of.getValue().stream().mapToInt(SourceFile::lines).sum(),
        of.getValue().stream().mapToInt(SourceFile::lines).max().orElse(0),
        uses);
  }

  /// Whether a package is part of a circle.
  public boolean isCyclic(String packageName) {
    return cycles.stream().anyMatch(cycle -> cycle.contains(packageName));
  }

  /// Every package.
  public List<Shelf> shelves() {
    return rooms.stream().map(Room::shelves).flatMap(Collection::stream).toList();
  }

  private static List<SortedSet<String>> cycles(SortedMap<String, SortedSet<String>> uses) {
    SortedMap<String, Set<String>> reached = new TreeMap<>();
    uses.keySet().forEach(from -> reached.put(from, reached(from, uses)));
    List<SortedSet<String>> cycles = new ArrayList<>();
    Set<String> seen = new TreeSet<>();
    for (String from : uses.keySet()) {
      SortedSet<String> circle = new TreeSet<>();
      for (String to : reached.getOrDefault(from, Set.of())) {
        if (reached.getOrDefault(to, Set.of()).contains(from)) {
          circle.add(to);
        }
      }
      if (circle.size() > 1 && seen.addAll(circle)) {
        cycles.add(circle);
      }
    }
    return List.copyOf(cycles);
  }

  private static Set<String> reached(String from, SortedMap<String, SortedSet<String>> uses) {
    Set<String> reached = new TreeSet<>();
    List<String> open = new ArrayList<>(List.of(from));
    while (!open.isEmpty()) {
      for (String to : uses.getOrDefault(open.removeLast(), new TreeSet<>())) {
        if (reached.add(to)) {
          open.add(to);
        }
      }
    }
    return reached;
  }
}
