package dev.holdfast.settings;

import dev.holdfast.clusterstate.Role;
import dev.holdfast.http.PagePolicy;
import dev.holdfast.indexing.repository.RepositoryConfig;
import dev.holdfast.provision.ProvisionerSettings;
import dev.holdfast.script.ScriptRules;
import dev.holdfast.scrub.ScrubConfig;
import dev.holdfast.telemetry.TracingSettings;
import dev.holdfast.world.ByteSize;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// All that a user can set of a node, made valid. Each is described in the table of settings.
///
/// @param host the address to serve on
/// @param port 0 for any free one
/// @param data the folder of caches, and of the store unless another is named
/// @param store where all data lives: `file:…`, `s3://bucket/prefix`, `gs://…`, `az://…`, `memory:`
/// @param storeOptions `store.…` settings by their full names
/// @param roles what this node does; never empty
/// @param httpContentLengthMax the longest request body
/// @param pages what pages in browsers may do with an open node
/// @param cacheSize bytes of blobs to keep on the local disk; 0 for half of what is free there
/// @param logFormat `text` or `json`
/// @param idle what was set and means nothing beside the rest, a line each for the log
public record NodeSettings(
    String host,
    int port,
    Path data,
    String store,
    SortedMap<String, String> storeOptions,
    Set<Role> roles,
    BuildFlavor flavor,
    String clusterName,
    String nodeName,
    ByteSize httpContentLengthMax,
    PagePolicy pages,
    ByteSize cacheSize,
    String logFormat,
    String logLevel,
    NetworkSettings networking,
    GarbageSettings garbage,
    CacheSettings caches,
    ScriptRules scripts,
    ScrubConfig scrub,
    ProvisionerSettings provisioner,
    TracingSettings tracing,
    ProjectSettings projects,
    List<String> idle) {

  /// The part of a node's caches in memory that a project has.
  private static final int CACHES_PART = 4;

  public NodeSettings {
    storeOptions = Collections.unmodifiableSortedMap(new TreeMap<>(storeOptions));
    roles = Collections.unmodifiableSet(EnumSet.copyOf(roles));
    idle = List.copyOf(idle);
  }

  /// Everything in one process, in `data`.
  public static NodeSettings defaults(Path data) {
    return new NodeSettings(
        "127.0.0.1",
        9200,
        data,
        "file:" + data.resolve("store"),
        new TreeMap<>(),
        EnumSet.allOf(Role.class),
        BuildFlavor.SERVERLESS,
        "holdfast",
        "holdfast-0",
        ByteSize.mib(100),
        PagePolicy.DEFAULT,
        new ByteSize(0),
        "text",
        "info",
        NetworkSettings.defaults(),
        GarbageSettings.defaults(),
        CacheSettings.defaults(),
        ScriptRules.defaults(),
        ScrubConfig.defaults(),
        ProvisionerSettings.none(),
        TracingSettings.off(),
        ProjectSettings.off(),
        List.of());
  }

  /// The same with another grace of what nobody needs.
  public NodeSettings withGrace(Duration grace) {
    return new NodeSettings(
        host,
        port,
        data,
        store,
        storeOptions,
        roles,
        flavor,
        clusterName,
        nodeName,
        httpContentLengthMax,
        pages,
        cacheSize,
        logFormat,
        logLevel,
        networking,
        garbage.withGrace(grace),
        caches,
        scripts,
        scrub,
        provisioner,
        tracing,
        projects,
        idle);
  }

  /// Those of a project's rooms in the same process.
  ///
  /// @param name of the project
  /// @param folder of its caches
  /// @param url of its part of the store
  /// @param cache bytes of its blobs on the local disk
  public NodeSettings ofProject(String name, Path folder, String url, ByteSize cache) {
    return new NodeSettings(
        host,
        port,
        folder,
        url,
        storeOptions,
        roles,
        flavor,
        name,
        nodeName,
        httpContentLengthMax,
        pages,
        cache,
        logFormat,
        logLevel,
        networking,
        garbage,
        caches.part(CACHES_PART),
        scripts,
        scrub,
        ProvisionerSettings.none(),
        TracingSettings.off(),
        projects.within(name),
        idle);
  }

  /// Where snapshots may be kept: those of a project in its own part of the store.
  public RepositoryConfig repositories() {
    return new RepositoryConfig(store, storeOptions, projects.isWithin());
  }

  /// The same on another port and in another store: for nodes that live for a moment.
  public NodeSettings at(int otherPort, String otherStore) {
    return new NodeSettings(
        host,
        otherPort,
        data,
        otherStore,
        storeOptions,
        roles,
        flavor,
        clusterName,
        nodeName,
        httpContentLengthMax,
        pages,
        cacheSize,
        logFormat,
        logLevel,
        networking,
        garbage,
        caches,
        scripts,
        scrub,
        provisioner,
        tracing,
        projects,
        idle);
  }
}
