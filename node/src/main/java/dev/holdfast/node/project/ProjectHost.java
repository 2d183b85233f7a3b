package dev.holdfast.node.project;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.server.ServedProjects;
import dev.holdfast.node.wiring.Rooms;
import dev.holdfast.project.Project;
import dev.holdfast.project.Projects;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.settings.ProjectSettings;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The projects that this process serves: those that the cluster's state names, each opened as soon
/// as it is there.
public final class ProjectHost implements ServedProjects, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProjectHost.class);
  private static final String HEADER = "x-holdfast-project";

  /// How long a request waits for a project that is being opened.
  private static final Duration OPEN_MAX = Duration.ofSeconds(20);

  private static final Duration LOOK = Duration.ofMillis(20);

  private final ProjectSettings settings;
  private final Metadata metadata;
  private final World world;
  private final Map<String, ProjectSlot> slots = new ConcurrentHashMap<>();
  private volatile boolean isClosing;

  private ProjectHost(ProjectSettings settings, Metadata metadata, World world) {
    this.settings = settings;
    this.metadata = metadata;
    this.world = world;
  }

  /// Serves them from now on, if the node is one that does.
  ///
  /// @param ground of the node's own rooms
  /// @param metadata of the cluster
  /// @param self ephemeral id of this node
  public static ProjectHost begin(Rooms.Ground ground, Metadata metadata, String self) {
    NodeSettings node = ground.settings();
    World world = ground.threads().world();
    ProjectHost host = new ProjectHost(node.projects(), metadata, world);
    if (node.projects().isOn()) {
      ProjectCalls calls = new ProjectCalls(ground.network());
      removeUnknown(node, metadata.current());
      metadata.listen((_, now) -> host.follow(now, ground, calls));
      DeletedProjects.begin(world, metadata, ground, self);
    }
    return host;
  }

  private void follow(ClusterState state, Rooms.Ground ground, ProjectCalls calls) {
    if (isClosing) {
      return;
    }
    SortedMap<String, Project> all = Projects.all(state);
    all.forEach((name, project) ->
        slots.computeIfAbsent(name, _ -> new ProjectSlot(name, ground, calls)).want(project));
    slots.forEach((name, slot) -> {
      if (!all.containsKey(name)) {
        slot.want(null);
      }
    });
  }

  /// Caches of projects that were deleted while this process did not run.
  private static void removeUnknown(NodeSettings node, ClusterState state) {
    Path folder = node.data().resolve(OpenProject.FOLDER);
    if (!Files.isDirectory(folder)) {
      return;
    }
    Set<Path> known =
        Projects.all(state).values().stream()
            .map(project -> OpenProject.folder(node, project))
            .collect(Collectors.toSet());
    try (Stream<Path> there = Files.list(folder)) {
      IOUtils.rm(there.filter(one -> !known.contains(one)).toArray(Path[]::new));
    } catch (IOException e) {
      LOG.warn("caches of deleted projects are left [folder={}]", folder, e);
    }
  }

  @Override
  public @Nullable Served of(HeaderValues headers) {
    String name = named(headers);
    if (name == null) {
      return null;
    }
    if (!settings.isOn()) {
      throw Refusal.badArgument(
          "this node serves no projects: all requests see the same indices, so the header"
              + " [X-Holdfast-Project: "
              + name
              + "] is refused, not ignored; start the nodes with [projects: true]");
    }
    Project.requireName(name);
    ProjectSlot slot = slots.get(name);
    OpenProject open = slot == null ? null : slot.open();
    return open == null ? awaited(name) : open;
  }

  @Override
  public void admit(HeaderValues headers) {
    if (slots.isEmpty() || !OpenProject.isWrite(headers)) {
      return;
    }
    String said = headers.get(HEADER);
    String name = said == null && !settings.domain().isEmpty() ? ofHost(headers) : said;
    ProjectSlot slot = name == null ? null : slots.get(name);
    OpenProject open = slot == null ? null : slot.open();
    if (open != null) {
      open.admitMore();
    }
  }

  /// The project that a request names, by its header or by the name of the host.
  ///
  /// @return null when it names none
  private @Nullable String named(HeaderValues headers) {
    String said = headers.get(HEADER);
    String ofHost = settings.domain().isEmpty() ? null : ofHost(headers);
    if (said != null && ofHost != null && !said.equals(ofHost)) {
      throw Refusal.badArgument(
          "the host names project ["
              + ofHost
              + "], and the header [X-Holdfast-Project] another: ["
              + said
              + "]");
    }
    return said == null ? ofHost : said;
  }

  private @Nullable String ofHost(HeaderValues headers) {
    String authority = headers.get(":authority");
    String host = authority == null ? headers.get("host") : authority;
    if (host == null) {
      return null;
    }
    String name = host.replaceFirst("\\.?(:[0-9]*)?$", "").toLowerCase(Locale.ROOT);
    String end = "." + settings.domain();
    return name.endsWith(end) ? name.substring(0, name.length() - end.length()) : null;
  }

  private Served awaited(String name) {
    if (Projects.find(metadata.current(), name) == null) {
      throw new Refusal(ErrorType.RESOURCE_NOT_FOUND, "no such project [" + name + "]");
    }
    OpenProject open;
    try {
      open =
          Await.<OpenProject, RuntimeException>found(
              world,
              OPEN_MAX,
              LOOK,
              () -> {
                ProjectSlot slot = slots.get(name);
                return slot == null ? null : slot.open();
              });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal(ErrorType.NODE_CLOSED, "this node is being stopped", e);
    }
    if (open == null) {
      ProjectSlot slot = slots.get(name);
      String failure = slot == null ? "" : slot.failure();
      throw new Refusal(
          ErrorType.MASTER_NOT_DISCOVERED,
          "project ["
              + name
              + "] is not open on this node yet"
              + (failure.isEmpty() ? "" : ": " + failure));
    }
    return open;
  }

  /// Gives the shards of all projects to other nodes, of all at the same time.
  public void drain() throws InterruptedException {
    List<Tasks.Task> draining = new ArrayList<>();
    for (ProjectSlot slot : slots.values()) {
      draining.add(world.tasks().start("drain project", slot::drain));
    }
    for (Tasks.Task one : draining) {
      one.join();
    }
  }

  @Override
  public void close() {
    isClosing = true;
    slots.values().forEach(ProjectSlot::close);
    try {
      for (ProjectSlot slot : slots.values()) {
        slot.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
