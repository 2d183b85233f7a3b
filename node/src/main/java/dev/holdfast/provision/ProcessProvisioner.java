package dev.holdfast.provision;

import dev.holdfast.autoscaler.TierSize;
import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.blobcache.CacheRoom;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.world.ByteSize;
import java.io.IOException;
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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts nodes as processes of this machine and stops them again: elasticity on a laptop, and in
/// tests. A node that was started by people is never stopped. Processes are found again by whoever
/// leads next on this machine, by what lies in the folder.
///
/// A node is stopped by SIGTERM: it gives its shards away, uploads what it has, and leaves.
final class ProcessProvisioner implements Provisioner {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessProvisioner.class);

  /// What the names of its nodes begin with.
  private static final String PREFIX = "elastic-";

  /// A process that is no member by then is given up.
  private static final Duration START_MAX = Duration.ofSeconds(90);

  /// At once: each start takes a core for a second or two.
  private static final int STARTS_A_STEP = 2;

  /// Steps without a start after one that failed; doubled with each that fails again.
  private static final int PAUSE_STEPS = 2;

  private static final int PAUSE_DOUBLINGS = 5;

  /// What a node is told of its cache, unless people have said how large each is.
  private static final String CACHE_SIZE = "HOLDFAST_CACHE_SIZE";

  /// Caches that have room on the disk, or as many as there are meant to be: what both tiers may
  /// have by default. They are sized once, as they start, when nobody knows how many will follow.
  private static final int CACHES_MIN = 16;

  private final ProvisionerSettings settings;
  private final int processesMax;
  private final Map<String, Process> mine = new HashMap<>();
  private final Set<String> stopping = new HashSet<>();
  private final Map<Role, Failures> failures = new EnumMap<>(Role.class);
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
    List<String> whys = new ArrayList<>();
    for (Map.Entry<Role, TierSize> tier : wanted.entrySet()) {
      Failures its = failures.computeIfAbsent(tier.getKey(), _ -> new Failures());
      try {
        step(tier.getKey(), tier.getValue().nodes(), members, its);
      } catch (IOException e) {
        its.add(String.valueOf(e.getMessage()));
      }
      if (!its.why.isEmpty()) {
        whys.add(its.why);
      }
    }
    if (!whys.isEmpty()) {
      throw new IOException(String.join("; ", whys));
    }
  }

  private void step(Role tier, int wanted, Collection<Member> members, Failures its)
      throws IOException {
    Map<String, Member> byName =
        members.stream().collect(Collectors.toMap(Member::name, m -> m, (a, b) -> a));
    List<Member> staying = new ArrayList<>();
    for (Member member : members) {
      if (member.roles().contains(tier)
          && !member.isDraining()
          && !stopping.contains(member.name())) {
        staying.add(member);
      }
    }
    int starting = 0;
    String failed = null;
    for (ChildProcess child : children(tier, wanted + members.size())) {
      ProcessHandle process = child.process().orElse(null);
      if (process == null) {
        boolean hadStarted = stopping.remove(child.name()) || byName.containsKey(child.name());
        if (mine.remove(child.name()) != null && !hadStarted) {
          failed = "node [" + child.name() + "] ended: " + words(child);
        }
      } else if (!byName.containsKey(child.name()) && !stopping.contains(child.name())) {
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
    int missing = wanted - staying.size() - starting;
    if (missing > 0) {
      // A tier that has nobody gets its first all the same: late is better than never.
      int room = staying.size() + starting > 0 ? processesMax - running() : 1;
      if (room <= 0) {
        its.why =
            "this machine has memory for the heaps of ["
                + processesMax
                + "] nodes, and as many run: a smaller --heap makes room for more";
      } else if (its.mayTry()) {
        start(tier, Math.min(Math.min(missing, room), STARTS_A_STEP), byName.keySet());
      }
    } else if (staying.size() > wanted) {
      stop(tier, staying, staying.size() - wanted, hasOthers(members));
    } else if (starting == 0 && staying.size() == wanted) {
      its.none();
    }
  }

  /// The node that people started, and those that were started on this machine.
  private int running() throws IOException {
    int running = 1;
    if (Files.isDirectory(settings.folder())) {
      try (DirectoryStream<Path> folders = Files.newDirectoryStream(settings.folder())) {
        for (Path child : folders) {
          running += new ChildProcess(child, "").process().isPresent() ? 1 : 0;
        }
      }
    }
    return running;
  }

  private static String words(ChildProcess child) {
    String words = child.lastWords();
    return words == null ? "it has said nothing" : words;
  }

  private List<ChildProcess> children(Role tier, int most) {
    List<ChildProcess> children = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      children.add(child(tier, i));
    }
    return children;
  }

  private ChildProcess child(Role tier, int number) {
    String name = PREFIX + tier.label() + "-" + number;
    return new ChildProcess(settings.folder().resolve(name), name);
  }

  private void start(Role tier, int many, Set<String> taken) throws IOException {
    int started = 0;
    for (int i = 0; started < many; i++) {
      ChildProcess child = child(tier, i);
      if (taken.contains(child.name()) || child.process().isPresent()) {
        continue;
      }
      stopping.remove(child.name());
      mine.put(child.name(), child.start(settings(tier, child)));
      LOG.info("started a node [node={}, log={}]", child.name(), child.folder().resolve("log"));
      started++;
    }
  }

  /// The settings of a child: those of this node, but for what is its own.
  private Map<String, String> settings(Role tier, ChildProcess child) throws IOException {
    Map<String, String> its = new HashMap<>(settings.variables());
    Path data = child.folder().resolve("data");
    its.put("HOLDFAST_PORT", "0");
    its.put("HOLDFAST_ROLES", tier.label());
    its.put("HOLDFAST_DATA", data.toString());
    its.put("HOLDFAST_NODE_NAME", child.name());
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

  /// The newest go first: they have the least in their caches.
  ///
  /// @param maySelf whether this node may go: not when nobody might be left to start others
  private void stop(Role tier, List<Member> staying, int many, boolean maySelf) {
    List<Member> newest =
        staying.stream()
            .filter(member -> member.name().startsWith(PREFIX + tier.label() + "-"))
            .filter(member -> maySelf || !member.name().equals(settings.node()))
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
      for (Role tier : Role.values()) {
        for (int i = 0; child(tier, i).folder().toFile().exists(); i++) {
          child(tier, i).process().ifPresent(ProcessHandle::destroy);
        }
      }
    }
  }

  /// Starts that failed, one after the other.
  private static final class Failures {
    private int many;
    private int skipped;

    /// Of the last, until the tier is as it should be; empty for none.
    private String why = "";

    void add(String reason) {
      many = Math.min(many + 1, PAUSE_DOUBLINGS);
      skipped = 0;
      why = reason;
    }

    void none() {
      many = 0;
      why = "";
    }

    /// Whether the pause after the last failure is over; counted in steps.
    boolean mayTry() {
      if (many == 0) {
        why = ""; // none failed: there was no room, and now there is
        return true;
      }
      skipped++;
      return skipped >= (PAUSE_STEPS << many);
    }
  }
}
