package dev.holdfast.api.cat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.api.cluster.member.ClusterMembers;
import dev.holdfast.api.cluster.member.NodeRoles;
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
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// `GET /_cat/nodes` and `GET /_cat/master`.
public final class CatNodesApi implements CatApi.Maker {
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
    SortedMap<String, JsonNode> counted =
        table.wantsHidden(request) ? stats.counted(request) : new TreeMap<>();
    HostStats machine = HostStats.now(settings.data());
    table.row(withCounted(self(machine), counted.get(members.self().id())));
    for (NodeIdentity node : members.all()) {
      if (!members.isSelf(node.id())) {
        table.row(withCounted(other(node), counted.get(node.id())));
      }
    }
    return table;
  }

  private static @Nullable Object[] withCounted(
      List<@Nullable Object> row, @Nullable JsonNode counted) {
    List<@Nullable Object> whole = new ArrayList<>(row);
    JsonNode stats = counted == null ? Json.object() : counted;
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

  /// What the cluster state knows; what only the node itself can tell is asked of it, not of this
  /// one.
  private List<@Nullable Object> other(NodeIdentity node) {
    @Nullable Object[] unknown = new Object[12];
    List<@Nullable Object> row = new ArrayList<>();
    row.add(node.id());
    row.add(null);
    row.add(node.host());
    row.add(node.port());
    row.add(node.address());
    row.add(Version.API);
    row.add(settings.flavor().label());
    row.add("tar");
    row.addAll(Arrays.asList(unknown).subList(0, 8));
    Member member = members.metadata().current().members().get(node.id());
    row.add(member == null ? null : new ByteSize(member.heapBytes()));
    row.addAll(Arrays.asList(unknown).subList(0, 11));
    row.add(Duration.ofMillis(Math.max(0, clock.epochMillis() - node.startMillis())));
    row.add(NodeRoles.letters(node));
    row.add(node.id().equals(members.metadata().leaderId()) ? "*" : "-");
    row.add(node.name());
    return row;
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
