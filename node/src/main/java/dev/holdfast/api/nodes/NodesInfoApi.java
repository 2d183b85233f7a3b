package dev.holdfast.api.nodes;

import com.fasterxml.jackson.core.JsonGenerator;
import com.sun.management.HotSpotDiagnosticMXBean;
import dev.holdfast.api.cluster.member.ClusterMembers;
import dev.holdfast.api.cluster.member.NodeRoles;
import dev.holdfast.api.cluster.member.NodeSelector;
import dev.holdfast.api.stats.FlatSettings;
import dev.holdfast.api.stats.NodesJson;
import dev.holdfast.api.stats.StatisticsWriter;
import dev.holdfast.api.stats.ThreadPools;
import dev.holdfast.document.ingest.processor.Processors;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.identity.Version;
import dev.holdfast.query.parse.Aggregations;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.world.FromTheWorld;
import dev.holdfast.world.WorkPool;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.lang.management.RuntimeMXBean;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// `GET /_nodes`: what nodes are.
public final class NodesInfoApi implements Api {
  private static final Set<String> METRICS =
      new TreeSet<>(
          List.of(
              "aggregations",
              "http",
              "indices",
              "ingest",
              "jvm",
              "os",
              "plugins",
              "process",
              "remote_cluster_server",
              "settings",
              "thread_pool",
              "transport"));

  private final NodeSettings settings;
  private final ClusterMembers members;
  private final List<WorkPool> pools;

  public NodesInfoApi(NodeSettings settings, ClusterMembers members, List<WorkPool> pools) {
    this.settings = settings;
    this.members = members;
    this.pools = pools;
  }

  @Override
  public Answer handle(ApiRequest request) {
    NodeSelector choice = NodeSelector.of(request, members, METRICS);
    List<NodeIdentity> others =
        members.all().stream()
            .filter(node -> !members.isSelf(node.id()))
            .filter(node -> NodeSelector.isChosen(request, members, METRICS, node))
            .toList();
    boolean isFlat = request.flag("flat_settings", false);
    return Answer.of(out -> {
      out.writeStartObject();
      NodesJson.header(out, others.size() + (choice.isThisNode() ? 1 : 0));
      out.writeStringField("cluster_name", settings.clusterName());
      out.writeObjectFieldStart("nodes");
      if (choice.isThisNode()) {
        node(out, choice.metrics(), new StatisticsWriter(out, request.human()), isFlat);
      }
      for (NodeIdentity other : others) {
        other(out, other, choice.metrics(), new StatisticsWriter(out, request.human()));
      }
      out.writeEndObject();
      out.writeEndObject();
    });
  }

  /// What the cluster state knows of another node: enough for clients to find it.
  private void other(
      JsonGenerator out, NodeIdentity node, Set<String> metrics, StatisticsWriter figures)
      throws IOException {
    identity(out, node, figures);
    if (metrics.contains("transport")) {
      figures.object("transport", () -> transport(figures, node));
    }
    if (metrics.contains("http")) {
      figures.object("http", () -> addresses(figures, node));
    }
    out.writeEndObject();
  }

  private void identity(JsonGenerator out, NodeIdentity node, StatisticsWriter figures)
      throws IOException {
    out.writeObjectFieldStart(node.id());
    figures.text("name", node.name());
    figures.text("transport_address", node.address());
    figures.text("host", node.host());
    figures.text("ip", node.host());
    figures.text("version", Version.API);
    figures.number("transport_version", 9_053_000);
    figures.number("index_version", Version.INDEX_MAX);
    figures.object("component_versions", () -> {});
    figures.text("build_flavor", settings.flavor().label());
    figures.text("build_type", "tar");
    figures.text("build_hash", Version.CURRENT.buildHash());
    figures.strings("roles", NodeRoles.names());
    figures.object("attributes", () -> {});
  }

  private void node(
      JsonGenerator out, Set<String> metrics, StatisticsWriter figures, boolean isFlat)
      throws IOException {
    identity(out, members.self(), figures);
    if (metrics.contains("settings")) {
      out.writeFieldName("settings");
      FlatSettings.write(out, settings(), isFlat);
    }
    if (metrics.contains("os")) {
      figures.object("os", () -> os(figures));
    }
    if (metrics.contains("process")) {
      figures.object("process", () -> process(figures));
    }
    if (metrics.contains("jvm")) {
      figures.object("jvm", () -> jvm(figures));
    }
    if (metrics.contains("thread_pool")) {
      figures.object("thread_pool", () -> ThreadPools.writeInfo(figures, pools));
    }
    if (metrics.contains("transport")) {
      figures.object("transport", () -> transport(figures, members.self()));
    }
    if (metrics.contains("aggregations")) {
      figures.object("aggregations", () -> aggregations(figures));
    }
    if (metrics.contains("http")) {
      figures.object(
          "http",
          () -> {
            addresses(figures, members.self());
            figures.bytes("max_content_length", settings.httpContentLengthMax().bytes());
          });
    }
    if (metrics.contains("plugins")) {
      figures.strings("plugins", List.of());
      figures.strings("modules", List.of());
    }
    if (metrics.contains("ingest")) {
      figures.object("ingest", () -> processors(figures));
    }
    out.writeEndObject();
  }

  private static void processors(StatisticsWriter figures) throws IOException {
    figures.out().writeArrayFieldStart("processors");
    for (String name : Processors.all().names()) {
      figures.out().writeStartObject();
      figures.text("type", name);
      figures.out().writeEndObject();
    }
    figures.out().writeEndArray();
  }

  private static void aggregations(StatisticsWriter figures) throws IOException {
    for (String name : Aggregations.names()) {
      figures.object(name, () -> figures.strings("types", List.of("other")));
    }
  }

  private SortedMap<String, Object> settings() {
    SortedMap<String, Object> shown = new TreeMap<>();
    shown.put("cluster.name", settings.clusterName());
    shown.put("node.name", members.self().name());
    shown.put("node.roles", String.join(",", NodeRoles.names()));
    shown.put("path.data", settings.data().toString());
    shown.put("http.port", Integer.toString(members.self().port()));
    shown.put("client.type", "node");
    // What each node of Elasticsearch says, and clients with types for settings count on.
    shown.put("cluster.election.strategy", "lease");
    shown.put("node.attr.tiers", String.join(",", NodeRoles.tiers(members.self())));
    shown.put("http.type.default", "netty4");
    shown.put("transport.type.default", "http");
    shown.put("store", settings.store());
    return shown;
  }

  @FromTheWorld
  private static void os(StatisticsWriter figures) throws IOException {
    figures.millis("refresh_interval", 1000);
    figures.text("name", System.getProperty("os.name", ""));
    figures.text("pretty_name", System.getProperty("os.name", ""));
    figures.text("arch", System.getProperty("os.arch", ""));
    figures.text("version", System.getProperty("os.version", ""));
    figures.number("available_processors", Runtime.getRuntime().availableProcessors());
    figures.number("allocated_processors", Runtime.getRuntime().availableProcessors());
  }

  @FromTheWorld
  private static void process(StatisticsWriter figures) throws IOException {
    figures.millis("refresh_interval", 1000);
    figures.number("id", ProcessHandle.current().pid());
    figures.flag("mlockall", false);
  }

  @FromTheWorld
  private static void jvm(StatisticsWriter figures) throws IOException {
    RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
    HotSpotDiagnosticMXBean machine =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    figures.number("pid", runtime.getPid());
    figures.text("version", System.getProperty("java.version", ""));
    figures.text("vm_name", runtime.getVmName());
    figures.text("vm_version", runtime.getVmVersion());
    figures.text("vm_vendor", runtime.getVmVendor());
    figures.flag("using_bundled_jdk", false);
    figures.number("start_time_in_millis", runtime.getStartTime());
    figures.object(
        "mem",
        () -> {
          long heapMax = Runtime.getRuntime().maxMemory();
          MemoryUsage beside = ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage();
          figures.bytes("heap_init", heapMax);
          figures.bytes("heap_max", heapMax);
          figures.bytes("non_heap_init", Math.max(0, beside.getInit()));
          figures.bytes("non_heap_max", Math.max(0, beside.getMax()));
          long told = Long.parseLong(machine.getVMOption("MaxDirectMemorySize").getValue());
          figures.bytes("direct_max", told == 0 ? heapMax : told); // what it is without the option
        });
    figures.strings(
        "gc_collectors",
        ManagementFactory.getGarbageCollectorMXBeans().stream().map(gc -> gc.getName()).toList());
    figures.strings(
        "memory_pools",
        ManagementFactory.getMemoryPoolMXBeans().stream().map(pool -> pool.getName()).toList());
    figures.strings("input_arguments", runtime.getInputArguments());
  }

  private static void transport(StatisticsWriter figures, NodeIdentity node) throws IOException {
    addresses(figures, node);
    figures.object("profiles", () -> {});
  }

  private static void addresses(StatisticsWriter figures, NodeIdentity node) throws IOException {
    figures.strings("bound_address", List.of(node.address()));
    figures.text("publish_address", node.address());
  }
}
