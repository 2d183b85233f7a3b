package dev.holdfast.provision;

import dev.holdfast.autoscaler.TierSize;
import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.blobcache.CacheRoom;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.world.ByteSize;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts nodes as processes of this machine and stops them again: elasticity on a laptop, and in
/// tests. A node that was started by people is never stopped. Processes are found again by whoever
/// leads next on this machine, by what lies in the folder.
///
/// Where neither tier has a node, the first that is started is in both: two that start side by side
/// take twice the time of the processors that somebody waits for. It counts in each, and stays as
/// long as one needs it; what more a tier needs is started for that tier.
///
/// A node is stopped by SIGTERM: it gives its shards away, uploads what it has, and leaves.
final class ProcessProvisioner implements Provisioner {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessProvisioner.class);

  /// What the names of its nodes begin with.
  private static final String PREFIX = "elastic-";

  /// What nodes of both tiers are called; those of one bear its name.
  private static final String BOTH = "both";

  /// Methods wait for three times as many calls and rounds as elsewhere until they are compiled,
  /// and those that the start-up cache knows to be hot for a hundred thousand, not two thousand,
  /// until the second compiler has them: the compilers would take as much of the processors as the
  /// first answer needs of them. Bulks then cost what they cost elsewhere after three minutes of
  /// load, searches a tenth more, and less and less; with a million calls it was a fifth. And while
  /// both want the processors, threads that serve come first (the compilers have nice 10; without
  /// privileges the Java machine would warn that it may not raise priorities, which nobody asks
  /// it).
  private static final List<String> LATE_OPTIMIZING =
      List.of(
          "-XX:CompileThresholdScaling=3",
          "-XX:Tier2InvokeNotifyFreqLog=15",
          "-XX:Tier2BackedgeNotifyFreqLog=18",
          "-XX:-PrintWarnings",
          "-XX:ThreadPriorityPolicy=1",
          "-XX:CompilerThreadPriority=10");

  private static final List<Role> TIERS = List.of(Role.INDEX, Role.SEARCH);

  private static final List<String> GROUPS = List.of(BOTH, Role.INDEX.label(), Role.SEARCH.label());

  /// A process that is no member by then is given up.
  private static final Duration START_MAX = Duration.ofSeconds(90);

  /// At once: each start takes a core for a second or two.
  private static final int STARTS_A_STEP = 2;

  /// What a node is told of its cache, unless people have said how large each is.
  private static final String CACHE_SIZE = "HOLDFAST_CACHE_SIZE";

  /// How much a node that starts asks the store.
  private static final String STORE_PROBE = "HOLDFAST_STORE_PROBE";

  /// Caches that have room on the disk, or as many as there are meant to be: what both tiers may
  /// have by default. They are sized once, as they start, when nobody knows how many will follow.
  private static final int CACHES_MIN = 16;

  private final ProvisionerSettings settings;
  private final int processesMax;
  private final Map<String, Process> mine = new HashMap<>();
  private final Set<String> stopping = new HashSet<>();
  private final Map<Role, FailedStarts> failures = new EnumMap<>(Role.class);
  private int meant;
  private boolean isClosed;

  ProcessProvisioner(ProvisionerSettings settings) {
    this(settings, MachineMemory.processes());
  }

  /// @param processesMax whose heaps the machine has memory for, this one among them
  ProcessProvisioner(ProvisionerSettings settings, int processesMax) {
    this.settings = settings;
    this.processesMax = processesMax;
  }

  @Override
  public String name() {
    return "process";
  }

  @Override
  public synchronized void provision(SortedMap<Role, TierSize> wanted, Collection<Member> members)
      throws IOException {
    if (isClosed) {
      return;
    }
    meant = wanted.values().stream().mapToInt(TierSize::nodes).sum();
    Set<String> names = members.stream().map(Member::name).collect(Collectors.toSet());
    Map<String, Integer> starting = lookAfter(wanted.keySet(), names);
    if (isFromNothing(wanted, members, starting)) {
      try {
        start(BOTH, 1, names);
        starting.put(BOTH, 1);
      } catch (IOException e) {
        wanted.keySet().forEach(tier -> failures(tier).add(String.valueOf(e.getMessage())));
      }
    }
    Set<String> whys = new LinkedHashSet<>();
    for (Role tier : wanted.keySet()) {
      FailedStarts its = failures(tier);
      try {
        Integer shared = starting.get(BOTH);
        Integer own = starting.get(tier.label());
        if (shared != null && own != null) {
          step(tier, wanted, members, shared + own);
        }
      } catch (IOException e) {
        its.add(String.valueOf(e.getMessage()));
      }
      if (!its.why().isEmpty()) {
        whys.add(its.why());
      }
    }
    if (!whys.isEmpty()) {
      throw new IOException(String.join("; ", whys));
    }
  }

  /// How many have been started and are no members yet, by group. Those groups are not in it of
  /// which one has failed now; their tiers have it noted.
  private Map<String, Integer> lookAfter(Set<Role> tiers, Set<String> members) {
    Map<String, Integer> starting = new HashMap<>();
    for (String group : GROUPS) {
      try {
        starting.put(group, starting(group, members));
      } catch (IOException e) {
        tiers.stream()
            .filter(tier -> group.equals(BOTH) || group.equals(tier.label()))
            .forEach(tier -> failures(tier).add(String.valueOf(e.getMessage())));
      }
    }
    return starting;
  }

  private static int nodes(SortedMap<Role, TierSize> sizes, Role tier) {
    TierSize size = sizes.get(tier);
    return size == null ? 0 : size.nodes();
  }

  private FailedStarts failures(Role tier) {
    return failures.computeIfAbsent(tier, _ -> new FailedStarts());
  }

  /// Whether somebody needs a tier while neither has a node, nor one that starts. Where a start has
  /// failed lately, each tier is on its own: none keeps the other from trying.
  private boolean isFromNothing(
      SortedMap<Role, TierSize> wanted, Collection<Member> members, Map<String, Integer> starting) {
    return wanted.keySet().containsAll(TIERS)
        && wanted.values().stream().anyMatch(size -> size.nodes() > 0)
        && starting.keySet().containsAll(GROUPS)
        && starting.values().stream().allMatch(many -> many == 0)
        && TIERS.stream()
            .noneMatch(tier -> failures(tier).isAny() || !staying(tier, members).isEmpty());
  }

  /// The members of a tier that have not been told to go.
  private List<Member> staying(Role tier, Collection<Member> members) {
    return members.stream()
        .filter(member ->
            member.roles().contains(tier)
                && !member.isDraining()
                && !stopping.contains(member.name()))
        .toList();
  }

  /// How many have been started and are no members yet.
  ///
  /// @param group a tier, or both
  /// @param members their names
  /// @throws IOException when one has ended, or takes too long
  private int starting(String group, Set<String> members) throws IOException {
    int starting = 0;
    String failed = null;
    for (ChildProcess child : children(PREFIX + group + "-*")) {
      ProcessHandle process = child.process().orElse(null);
      if (process == null) {
        boolean hadStarted = stopping.remove(child.name()) || members.contains(child.name());
        if (mine.remove(child.name()) != null && !hadStarted) {
          failed = "node [" + child.name() + "] ended: " + words(child);
        }
      } else if (!members.contains(child.name()) && !stopping.contains(child.name())) {
        if (ChildProcess.age(process).compareTo(START_MAX) > 0) {
          failed = "node [" + child.name() + "] did not become a member in time: " + words(child);
          mine.remove(child.name()); // told once
          boolean _ = process.destroyForcibly();
        } else {
          starting++;
        }
      }
    }
    if (failed != null) {
      throw new IOException(failed);
    }
    return starting;
  }

  /// @param starting of this tier, or of both
  private void step(
      Role tier, SortedMap<Role, TierSize> sizes, Collection<Member> members, int starting)
      throws IOException {
    FailedStarts its = failures(tier);
    int wanted = nodes(sizes, tier);
    List<Member> staying = staying(tier, members);
    int missing = wanted - staying.size() - starting;
    if (missing > 0) {
      // A tier that has nobody gets its first all the same: late is better than never.
      int room = staying.size() + starting > 0 ? processesMax - running() : 1;
      if (room <= 0) {
        its.noRoom(
            "this machine has memory for the heaps of ["
                + processesMax
                + "] nodes, and as many run: a smaller --heap makes room for more");
      } else if (its.mayTry()) {
        int many = Math.min(Math.min(missing, room), STARTS_A_STEP);
        start(tier.label(), many, members.stream().map(Member::name).collect(Collectors.toSet()));
      }
    } else if (staying.size() > wanted) {
      stop(staying, staying.size() - wanted, mayGo(tier, sizes, members));
    }
    if (starting == 0 && staying.size() >= wanted) {
      its.none();
    }
  }

  /// The node that people started, and those that were started on this machine.
  private int running() throws IOException {
    int running = 1;
    for (ChildProcess child : children(PREFIX + "*")) {
      running += child.process().isPresent() ? 1 : 0;
    }
    return running;
  }

  private static String words(ChildProcess child) {
    String words = child.lastWords();
    return words == null ? "it has said nothing" : words;
  }

  /// Those that have ever been started on this machine.
  ///
  /// @param names as a shell knows them
  private List<ChildProcess> children(String names) throws IOException {
    List<ChildProcess> children = new ArrayList<>();
    if (Files.isDirectory(settings.folder())) {
      try (DirectoryStream<Path> folders = Files.newDirectoryStream(settings.folder(), names)) {
        for (Path child : folders) {
          children.add(new ChildProcess(child, String.valueOf(child.getFileName())));
        }
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
    }
    return children;
  }

  private ChildProcess child(String group, int number) {
    String name = PREFIX + group + "-" + number;
    return new ChildProcess(settings.folder().resolve(name), name);
  }

  private void start(String group, int many, Set<String> taken) throws IOException {
    int started = 0;
    for (int i = 0; started < many; i++) {
      ChildProcess child = child(group, i);
      if (taken.contains(child.name()) || child.process().isPresent()) {
        continue;
      }
      stopping.remove(child.name());
      mine.put(child.name(), child.start(settings(group, child), options(group)));
      LOG.info("started a node [node={}, log={}]", child.name(), child.folder().resolve("log"));
      started++;
    }
  }

  private static List<String> options(String group) {
    return group.equals(BOTH) ? LATE_OPTIMIZING : List.of();
  }

  /// The settings of a child: those of this node, but for what is its own.
  private Map<String, String> settings(String group, ChildProcess child) throws IOException {
    Map<String, String> its = new HashMap<>(settings.variables());
    Path data = child.folder().resolve("data");
    its.put("HOLDFAST_PORT", "0");
    its.put("HOLDFAST_ROLES", group.equals(BOTH) ? "index,search" : group);
    its.put("HOLDFAST_DATA", data.toString());
    its.put("HOLDFAST_NODE_NAME", child.name());
    // This node has asked the same store whether it keeps its promises, which takes sixty requests.
    its.putIfAbsent(STORE_PROBE, "brief");
    if (ByteSize.parse(CACHE_SIZE, its.getOrDefault(CACHE_SIZE, "0")).bytes() == 0) {
      its.put(CACHE_SIZE, cacheSize(data) + "b");
    }
    return its;
  }

  /// Each would take half of the disk for its own, as a node that is alone there does.
  private long cacheSize(Path data) throws IOException {
    Files.createDirectories(data);
    int caches = Math.max(CACHES_MIN, meant);
    return Math.max(1, CacheRoom.of(data, data.resolve(BlobCache.FOLDER), caches).bytes());
  }

  /// Whether somebody is there whom people started.
  private static boolean hasOthers(Collection<Member> members) {
    return members.stream().anyMatch(member -> !member.name().startsWith(PREFIX));
  }

  /// Which nodes of a tier that has too many may go: one of both tiers only when the other tier,
  /// too, has more than it needs, and this node not when nobody might be left to start others.
  private Predicate<Member> mayGo(
      Role tier, SortedMap<Role, TierSize> wanted, Collection<Member> members) {
    boolean maySelf = hasOthers(members);
    boolean mayBoth =
        TIERS.stream()
            .allMatch(each ->
                wanted.containsKey(each) && staying(each, members).size() > nodes(wanted, each));
    return member ->
        (maySelf || !member.name().equals(settings.node()))
            && (isOf(member, tier.label()) || (mayBoth && isOf(member, BOTH)));
  }

  private static boolean isOf(Member member, String group) {
    return member.name().startsWith(PREFIX + group + "-");
  }

  /// The newest go first: they have the least in their caches.
  private void stop(List<Member> staying, int many, Predicate<Member> mayGo) {
    List<Member> newest =
        staying.stream()
            .filter(mayGo)
            .sorted(
                Comparator.<Member, Boolean>comparing(m -> m.name().equals(settings.node()))
                    .thenComparing(Comparator.comparingLong(Member::startMillis).reversed()))
            .toList();
    int stopped = 0;
    for (Member member : newest) {
      ChildProcess child =
          new ChildProcess(settings.folder().resolve(member.name()), member.name());
      // One of another machine, or whose folder is gone, is nobody's here to stop.
      ProcessHandle process = child.process().orElse(null);
      if (process != null && stopped < many) {
        stopping.add(member.name());
        boolean _ = process.destroy();
        LOG.info("stops a node [node={}]", member.name());
        stopped++;
      }
    }
  }

  /// What a node started ends with it; but nodes that were started by a started one go on: it may
  /// only have been one too many. None is started any more.
  @Override
  public synchronized void close() {
    isClosed = true;
    if (!settings.node().startsWith(PREFIX)) {
      for (String group : GROUPS) {
        for (int i = 0; child(group, i).folder().toFile().exists(); i++) {
          child(group, i).process().ifPresent(ProcessHandle::destroy);
        }
      }
    }
  }
}
