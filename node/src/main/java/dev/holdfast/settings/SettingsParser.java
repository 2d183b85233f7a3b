package dev.holdfast.settings;

import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.http.PagePolicy;
import dev.holdfast.http.PagePolicy.Cors;
import dev.holdfast.http.TimeValue;
import dev.holdfast.objectstore.count.StorePrices;
import dev.holdfast.provision.KubernetesTiers;
import dev.holdfast.provision.ProvisionerSettings;
import dev.holdfast.provision.ProvisionerSettings.Kind;
import dev.holdfast.scrub.ScrubConfig;
import dev.holdfast.settings.SettingsReader.Given;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Suggestions;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/// From texts to [NodeSettings]; every value that cannot be used is refused with its name, its
/// value and where it was set.
final class SettingsParser {
  private static final ByteSize HEAP_MIN = ByteSize.mib(128);
  private static final ByteSize CONTENT_LENGTH_LONGEST = ByteSize.gib(1);
  private static final String DATA_BY_DEFAULT = "data";

  private final Map<String, Given> given;
  private final Path folder;

  SettingsParser(Map<String, Given> given, Path folder) {
    this.given = given;
    this.folder = folder;
  }

  NodeSettings parse() {
    Path data = value(Setting.DATA, DATA_BY_DEFAULT, text -> within(notEmpty(text)));
    NodeSettings defaults = NodeSettings.defaults(data);
    value(Setting.HEAP, "1g", SettingsParser::heap);
    String store = value(Setting.STORE, defaults.store(), StoreUrl::checked);
    Set<Role> roles = value(Setting.ROLES, "all", SettingsParser::roles);
    IdleSettings idle = new IdleSettings(this);
    idle.refuse();
    return new NodeSettings(
        value(Setting.HOST, defaults.host(), SettingsParser::resolvable),
        value(Setting.PORT, Integer.toString(defaults.port()), SettingsParser::port),
        data,
        store,
        storeOptions(),
        roles,
        value(Setting.FLAVOR, defaults.flavor().label(), SettingsParser::flavor),
        value(Setting.CLUSTER_NAME, defaults.clusterName(), SettingsParser::notEmpty),
        value(Setting.NODE_NAME, defaults.nodeName(), SettingsParser::notEmpty),
        value(
            Setting.CONTENT_LENGTH_MAX,
            defaults.httpContentLengthMax().toString(),
            SettingsParser::contentLength),
        pages(),
        value(Setting.CACHE_SIZE, "0", text -> ByteSize.parse(Setting.CACHE_SIZE, text)),
        value(Setting.LOG_FORMAT, "text", text -> oneOf(text, "text", "json")),
        value(
            Setting.LOG_LEVEL,
            "info",
            text -> oneOf(text, "error", "warn", "info", "debug", "trace")),
        networking(defaults.networking()),
        new GarbageSettings(
            duration("gc.grace", defaults.garbage().grace()),
            duration("gc.sweep_every", defaults.garbage().sweepEvery()),
            duration("gc.sweep_delay", defaults.garbage().sweepDelay()),
            duration("gc.trash", defaults.garbage().trash()),
            duration("gc.clock_difference", defaults.garbage().clockDifference()),
            duration("restore.copy_delay", defaults.garbage().copyDelay())),
        CacheSettings.read(this),
        new ScriptSettings(this).rules(),
        new ScrubConfig(
            value("scrub.rate", "1mb", text -> ByteSize.parse("scrub.rate", text)),
            duration("scrub.every", defaults.scrub().every())),
        provisioner(data, defaults),
        new TelemetrySettings(this).tracing(),
        ProjectSettings.read(this),
        idle.told(store, roles));
  }

  /// Not by a variable that all programs of a machine read.
  boolean isGivenByHand(String name) {
    Given found = given.get(name);
    return found != null && !found.origin().contains(SettingsReader.SHARED_VARIABLES);
  }

  private ProvisionerSettings provisioner(Path data, NodeSettings defaults) {
    Kind kind =
        Kind.valueOf(
            value(
                    Setting.PROVISIONER,
                    "none",
                    text -> oneOf(text, "none", "process", "webhook", "kubernetes"))
                .toUpperCase(Locale.ROOT));
    String url = value(Setting.WEBHOOK, "", SettingsParser::webhook);
    String store = value(Setting.STORE, defaults.store(), text -> text);
    if (url.isEmpty() == (kind == Kind.WEBHOOK)) {
      throw new SettingsException(
          url.isEmpty()
              ? "setting [" + Setting.PROVISIONER + ": webhook] needs [" + Setting.WEBHOOK + "]"
              : "setting ["
                  + Setting.WEBHOOK
                  + "] has no effect without ["
                  + Setting.PROVISIONER
                  + ": webhook]");
    }
    if (kind != Kind.PROCESS && given.containsKey(Setting.PROCESS_FOLDER)) {
      throw new SettingsException(
          "setting ["
              + Setting.PROCESS_FOLDER
              + "] has no effect without ["
              + Setting.PROVISIONER
              + ": process]");
    }
    KubernetesTiers kubernetes = new KubernetesSettings(this).tiers(kind == Kind.KUBERNETES);
    boolean isElsewhere = kind == Kind.PROCESS || kind == Kind.KUBERNETES;
    if (isElsewhere && store.startsWith("memory:")) {
      throw new SettingsException(
          "setting ["
              + Setting.PROVISIONER
              + ": "
              + kind.name().toLowerCase(Locale.ROOT)
              + "] needs a store that processes can share");
    }
    if (kind == Kind.NONE) {
      return ProvisionerSettings.none();
    }
    Path processes =
        value(Setting.PROCESS_FOLDER, data.resolve("elastic").toString(), this::within);
    SortedMap<String, String> variables = new TreeMap<>();
    for (Setting setting : Setting.ALL) {
      Given found = given.get(setting.name());
      if (found != null) {
        variables.put(setting.variable(), found.value());
      }
    }
    // All that this node has read is in here: another file, where a process begins, says nothing.
    variables.put(SettingsReader.FILE_VARIABLE, SettingsReader.NO_FILE);
    variables.put("HOLDFAST_STORE", store);
    variables.put("HOLDFAST_AUTOSCALING_PROCESS_FOLDER", processes.toString());
    return new ProvisionerSettings(
        kind,
        url,
        kubernetes,
        processes,
        value(Setting.NODE_NAME, defaults.nodeName(), text -> text),
        variables);
  }

  boolean isGiven(String name) {
    return given.containsKey(name);
  }

  /// A path, from where relative ones begin.
  Path within(String text) {
    return folder.resolve(Path.of(text));
  }

  private static String webhook(String text) {
    if (!text.isEmpty() && (!text.matches("https?://.+") || URI.create(text).getHost() == null)) {
      throw new IllegalArgumentException("it is no http URL");
    }
    return text;
  }

  private PagePolicy pages() {
    boolean isOn = flag("http.cors.enabled");
    String methods = value("http.cors.allow-methods", Cors.METHODS, SettingsParser::notEmpty);
    String headers = value("http.cors.allow-headers", Cors.HEADERS, SettingsParser::notEmpty);
    String exposed = value("http.cors.expose-headers", Cors.EXPOSED, text -> text);
    long maxAge =
        value(
            "http.cors.max-age", Long.toString(Cors.MAX_AGE_SECONDS), text -> (long) seconds(text));
    boolean allowsCredentials = flag("http.cors.allow-credentials");
    Cors cors =
        value(
            "http.cors.allow-origin",
            "",
            text -> Cors.of(text, methods, headers, exposed, maxAge, allowsCredentials));
    if (isOn != cors.isOn()) {
      throw new SettingsException(
          isOn
              ? "setting [http.cors.enabled] allows nobody without [http.cors.allow-origin]"
              : "setting [http.cors.allow-origin] has no effect without [http.cors.enabled: true]");
    }
    return value("http.allowed_hosts", "", text -> PagePolicy.of(text, isOn ? cors : Cors.NONE));
  }

  boolean flag(String name) {
    return value(name, "false", text -> oneOf(text, "true", "false").equals("true"));
  }

  private static int seconds(String text) {
    if (!text.matches("[0-9]{1,9}")) {
      throw new IllegalArgumentException("it is no number of seconds");
    }
    return Integer.parseInt(text);
  }

  private NetworkSettings networking(NetworkSettings defaults) {
    return new NetworkSettings(
        value(Setting.PUBLISH_HOST, "", NetworkSettings::publishable),
        value(Setting.COMPRESS, "false", text -> oneOf(text, "true", "false").equals("true")),
        timings(defaults.cluster()));
  }

  private ClusterConfig timings(ClusterConfig cluster) {
    try {
      return new ClusterConfig(
          duration("cluster.beat_every", cluster.beatEvery()),
          duration("cluster.beat_max", cluster.beatMax()),
          duration("cluster.call_max", cluster.callMax()),
          value(
              "cluster.beats_missed_max",
              Integer.toString(cluster.beatsMissedMax()),
              SettingsParser::count),
          duration("cluster.lease_poll_every", cluster.leasePollEvery()),
          duration("cluster.lease_silence_max", cluster.leaseSilenceMax()),
          duration("cluster.member_silence_max", cluster.memberSilenceMax()),
          duration("cluster.refused_silence_max", cluster.refusedSilenceMax()),
          value(
              "cluster.refusals_max",
              Integer.toString(cluster.refusalsMax()),
              SettingsParser::count),
          duration("cluster.acknowledge_max", cluster.acknowledgeMax()),
          duration("cluster.propose_max", cluster.proposeMax()),
          duration("cluster.update_max", cluster.updateMax()),
          duration("cluster.contact_max", cluster.contactMax()),
          duration("cluster.serve_max", cluster.serveMax()),
          duration("cluster.lease_read_max", cluster.leaseReadMax()),
          duration("cluster.drain_max", cluster.drainMax()));
    } catch (IllegalArgumentException e) {
      throw new SettingsException(String.valueOf(e.getMessage()));
    }
  }

  private Duration duration(String name, Duration whenAbsent) {
    return value(
        name,
        whenAbsent.toMillis() + "ms",
        text -> {
          Duration duration;
          try {
            duration = TimeValue.parse(name, text);
          } catch (Refusal e) {
            throw new IllegalArgumentException("it is no time, for example 500ms", e);
          }
          if (!duration.isPositive()) {
            throw new IllegalArgumentException("it is not more than nothing");
          }
          if (duration.toMillis() == 0) { // something would be done without a pause
            throw new IllegalArgumentException("it is less than 1ms");
          }
          return duration;
        });
  }

  private static int count(String text) {
    if (!text.matches("[1-9][0-9]{0,3}")) {
      throw new IllegalArgumentException("it is no number from 1 to 9999");
    }
    return Integer.parseInt(text);
  }

  <T> T value(String name, String whenAbsent, Function<String, T> parse) {
    Given found = given.get(name);
    try {
      return parse.apply(found == null ? whenAbsent : found.value());
    } catch (IllegalArgumentException | Refusal e) {
      String where = found == null ? "" : " " + found.origin();
      String why =
          e instanceof InvalidPathException || e instanceof Refusal
              ? "it is no " + (e instanceof Refusal ? "size, for example 1g" : "path")
              : e.getMessage();
      throw new SettingsException(
          "bad value ["
              + (found == null ? whenAbsent : found.value())
              + "] of setting ["
              + name
              + "]"
              + where
              + ": "
              + why);
    }
  }

  private SortedMap<String, String> storeOptions() {
    SortedMap<String, String> options = new TreeMap<>();
    boolean _ = flag(Setting.PATH_STYLE);
    String _ = value(Setting.PROBE, "full", text -> oneOf(text, "full", Setting.BRIEF));
    given.forEach((name, value) -> {
      if (name.startsWith(StorePrices.FAMILY)) {
        double _ = value(name, "0", StorePrices::price);
      }
      if (name.startsWith(Setting.STORE_OPTION)) {
        options.put(name, value.value());
      }
    });
    return options;
  }

  private static String resolvable(String host) {
    try {
      InetAddress _ = InetAddress.getByName(notEmpty(host));
      return host;
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("no address has that name", e);
    }
  }

  private static String notEmpty(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("it is empty");
    }
    return text;
  }

  private static int port(String text) {
    int port;
    try {
      port = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("it is no number", e);
    }
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("a port is between 0 and 65535");
    }
    return port;
  }

  private static Set<Role> roles(String text) {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    for (String name : text.toLowerCase(Locale.ROOT).split(",", -1)) {
      switch (name.trim()) {
        case "all" -> roles.addAll(EnumSet.allOf(Role.class));
        case "index" -> roles.add(Role.INDEX);
        case "search" -> roles.add(Role.SEARCH);
        case "proxy" -> roles.add(Role.PROXY);
        default -> throw new IllegalArgumentException("roles are all, index, search, proxy");
      }
    }
    return roles;
  }

  private static BuildFlavor flavor(String text) {
    return BuildFlavor.valueOf(oneOf(text, "serverless", "default").toUpperCase(Locale.ROOT));
  }

  private static String oneOf(String text, String... choices) {
    List<String> known = new ArrayList<>(List.of(choices));
    if (known.contains(text)) {
      return text;
    }
    String why = "it is one of " + String.join(", ", known);
    boolean isNear = !Suggestions.near(text, known).isEmpty();
    throw new IllegalArgumentException(
        Suggestions.didYouMean(isNear ? why + "," : why, text, known));
  }

  private static ByteSize heap(String text) {
    ByteSize heap = ByteSize.parse(Setting.HEAP, text);
    if (heap.compareTo(HEAP_MIN) < 0) {
      throw new IllegalArgumentException("the heap is at least " + HEAP_MIN);
    }
    return heap;
  }

  private static ByteSize contentLength(String text) {
    ByteSize length = ByteSize.parse(Setting.CONTENT_LENGTH_MAX, text);
    if (length.compareTo(ByteSize.kib(1)) < 0 || length.compareTo(CONTENT_LENGTH_LONGEST) > 0) {
      throw new IllegalArgumentException("it is between 1kb and " + CONTENT_LENGTH_LONGEST);
    }
    return length;
  }
}
