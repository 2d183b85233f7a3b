package dev.holdfast.api.cat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.api.cluster.member.ClusterMembers;
import dev.holdfast.api.cluster.member.NodeRoles;
import dev.holdfast.api.nodes.AboutNode;
import dev.holdfast.api.nodes.NodesStatsApi;
import dev.holdfast.api.stats.HostStats;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.identity.Version;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// `GET /_cat/nodes` and `GET /_cat/master`.
public final class CatNodesApi implements CatApi.Maker {
  /// Columns of which the cluster state knows enough: no node is asked for them.
  private static final Set<String> KNOWN =
      Set.of(
          "id",
          "ip",
          "port",
          "http_address",
          "version",
          "flavor",
          "type",
          "build",
          "uptime",
          "node.role",
          "master",
          "name");

  private final Clock clock;
  private final NodeSettings settings;
  private final ClusterMembers members;
  private final NodesStatsApi stats;

  public CatNodesApi(
      Clock clock, NodeSettings settings, ClusterMembers members, NodesStatsApi stats) {
    this.clock = clock;
    this.settings = settings;
    this.members = members;
    this.stats = stats;
  }

  @Override
  public CatTable table(ApiRequest request) throws InterruptedException {
    CatTable table =
        new CatTable()
            .hidden("id", "id,nodeId", "unique node id")
            .hidden("pid", "p", "process id")
            .column("ip", "i", "ip address")
            .hidden("port", "po", "bound transport port")
            .hidden("http_address", "http", "bound http address")
            .hidden("version", "v", "es version")
            .hidden("flavor", "f", "es distribution flavor")
            .hidden("type", "t", "es distribution type")
            .hidden("build", "b", "es build hash")
            .hidden("jdk", "j", "jdk version")
            .hidden("disk.total", "dt,diskTotal", "total disk space")
            .hidden("disk.used", "du,diskUsed", "used disk space")
            .hidden("disk.avail", "d,da,disk,diskAvail", "available disk space")
            .hidden("disk.used_percent", "dup,diskUsedPercent", "used disk space percentage")
            .hidden("heap.current", "hc,heapCurrent", "used heap")
            .column("heap.percent", "hp,heapPercent", "used heap ratio")
            .hidden("heap.max", "hm,heapMax", "max configured heap")
            .hidden("ram.current", "rc,ramCurrent", "used machine memory")
            .column("ram.percent", "rp,ramPercent", "used machine memory ratio")
            .hidden("ram.max", "rm,ramMax", "total machine memory")
            .hidden("file_desc.current", "fdc,fileDescriptorCurrent", "used file descriptors")
            .hidden("file_desc.percent", "fdp,fileDescriptorPercent", "used descriptor ratio")
            .hidden("file_desc.max", "fdm,fileDescriptorMax", "max file descriptors")
            .column("cpu", "cpu", "recent cpu usage")
            .column("load_1m", "l", "1m load avg")
            .column("load_5m", "l", "5m load avg")
            .column("load_15m", "l", "15m load avg")
            .hidden("available_processors", "ap", "number of available processors")
            .hidden("uptime", "u", "node uptime")
            .column("node.role", "r,role,nodeRole", "roles of the node")
            .column("master", "m", "*:current master")
            .column("name", "n", "node name");
    StatisticsColumn.of('n')
        .forEach(column -> table.hidden(column.name(), column.aliases(), column.description()));
    SortedMap<String, JsonNode> counted = counted(table, request);
    HostStats machine = HostStats.now(settings.data());
    table.row(withCounted(self(machine), counted.get(members.self().id())));
    for (NodeIdentity node : members.all()) {
      if (!members.isSelf(node.id())) {
        JsonNode answer = counted.get(node.id());
        table.row(withCounted(other(node, new CountedNode(answer)), answer));
      }
    }
    return table;
  }

  private SortedMap<String, JsonNode> counted(CatTable table, ApiRequest request)
      throws InterruptedException {
    if (!table.wantsMoreThan(request, KNOWN)) {
      return Collections.emptySortedMap();
    }
    List<String> metrics =
        table.wantsHidden(request)
            ? List.of("indices", "os", "process", "jvm", "fs", AboutNode.SECTION)
            : List.of("os", "jvm");
    return stats.told(request, metrics).nodes();
  }

  private static @Nullable Object[] withCounted(
      List<@Nullable Object> row, @Nullable JsonNode counted) {
    List<@Nullable Object> whole = new ArrayList<>(row);
    JsonNode stats = counted == null ? Json.object() : counted.path("indices");
    StatisticsColumn.of('n').forEach(column -> whole.add(column.cell(stats)));
    return whole.toArray();
  }

  private List<@Nullable Object> self(HostStats machine) {
    return Arrays.asList(
        members.self().id(),
        machine.process(),
        members.self().host(),
        members.self().port(),
        members.self().address(),
        Version.API,
        settings.flavor().label(),
        "tar",
        Version.CURRENT.buildHash(),
        Runtime.version().toString(),
        new ByteSize(machine.diskTotal()),
        new ByteSize(machine.diskTotal() - machine.diskFree()),
        new ByteSize(machine.diskFree()),
        100.0 * (machine.diskTotal() - machine.diskFree()) / Math.max(1, machine.diskTotal()),
        new ByteSize(machine.heapUsed()),
        100 * machine.heapUsed() / machine.heapMax(),
        new ByteSize(machine.heapMax()),
        new ByteSize(machine.memoryTotal() - machine.memoryFree()),
        100 * (machine.memoryTotal() - machine.memoryFree()) / Math.max(1, machine.memoryTotal()),
        new ByteSize(machine.memoryTotal()),
        machine.filesOpen(),
        100 * machine.filesOpen() / Math.max(1, machine.filesMax()),
        machine.filesMax(),
        machine.cpuPercent(),
        machine.load(0),
        machine.load(1),
        machine.load(2),
        Runtime.getRuntime().availableProcessors(),
        Duration.ofMillis(Math.max(0, clock.epochMillis() - members.self().startMillis())),
        NodeRoles.letters(members.self()),
        members.self().id().equals(members.metadata().leaderId()) ? "*" : "-",
        members.self().name());
  }

  /// What the cluster state knows, and what the node itself tells.
  private List<@Nullable Object> other(NodeIdentity node, CountedNode counted) {
    Member member = members.metadata().current().members().get(node.id());
    ByteSize heapMax = counted.bytes("/jvm/mem/heap_max_in_bytes");
    Long filesOpen = counted.number("/process/open_file_descriptors");
    Long filesMax = counted.number("/process/max_file_descriptors");
    return Arrays.asList(
        node.id(),
        counted.number("/about/pid"),
        node.host(),
        node.port(),
        node.address(),
        Version.API,
        settings.flavor().label(),
        "tar",
        null,
        counted.text("/about/jdk"),
        counted.bytes("/fs/total/total_in_bytes"),
        counted.used("/fs/total"),
        counted.bytes("/fs/total/free_in_bytes"),
        counted.usedPercent("/fs/total"),
        counted.bytes("/jvm/mem/heap_used_in_bytes"),
        counted.number("/jvm/mem/heap_used_percent"),
        heapMax == null && member != null ? new ByteSize(member.heapBytes()) : heapMax,
        counted.bytes("/os/mem/used_in_bytes"),
        counted.number("/os/mem/used_percent"),
        counted.bytes("/os/mem/total_in_bytes"),
        filesOpen,
        filesOpen == null || filesMax == null ? null : 100 * filesOpen / Math.max(1, filesMax),
        filesMax,
        counted.number("/os/cpu/percent"),
        counted.decimal("/os/cpu/load_average/1m"),
        counted.decimal("/os/cpu/load_average/5m"),
        counted.decimal("/os/cpu/load_average/15m"),
        counted.number("/about/processors"),
        Duration.ofMillis(Math.max(0, clock.epochMillis() - node.startMillis())),
        NodeRoles.letters(node),
        node.id().equals(members.metadata().leaderId()) ? "*" : "-",
        node.name());
  }

  public CatTable master(ApiRequest request) {
    CatTable table =
        new CatTable()
            .column("id", "", "node id")
            .column("host", "h", "host name")
            .column("ip", "", "ip address")
            .column("node", "n", "node name");
    members
        .leader()
        .ifPresent(leader -> table.row(leader.id(), leader.host(), leader.host(), leader.name()));
    return table;
  }
}
