package dev.holdfast.api.ingest.place;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ingest.IpDatabase;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.Wildcards;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/// `/_ingest/ip_location/database`, `/_ingest/geoip/database` and `/_ingest/geoip/stats`: the
/// databases that lie in the store. None is downloaded.
public final class IpDatabasesApi {
  private static final String LOCAL = "_local_";
  private static final String INSTEAD =
      "databases are not downloaded: put the file into the store with [holdfast store"
          + " add-ip-database]";

  private final StoredIpDatabases databases;
  private final String node;

  /// @param node the id of this node
  public IpDatabasesApi(StoredIpDatabases databases, String node) {
    this.databases = databases;
    this.node = node;
  }

  public Answer get(ApiRequest request) {
    List<String> wanted = request.list("id");
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("databases");
    for (String one : wanted) {
      if (one.indexOf('*') < 0
          && databases.files().keySet().stream().noneMatch(f -> id(f).equals(one))) {
        throw missing(one);
      }
    }
    databases
        .files()
        .forEach((file, listed) -> {
          String id = id(file);
          if (wanted.isEmpty() || wanted.stream().anyMatch(one -> Wildcards.matches(one, id))) {
            ObjectNode shown = list.addObject().put("id", id).put("version", 0);
            shown.put("modified_date_millis", listed.modifiedMillis());
            shown
                .putObject("database")
                .put("name", file.replaceFirst("\\.mmdb$", ""))
                .putObject("local")
                .put("type", type(file));
          }
        });
    return Answer.of(200, answer);
  }

  private String type(String file) {
    IpDatabase database = databases.find(file);
    try {
      return database == null ? "" : database.type();
    } catch (Refusal e) {
      return ""; // no database, and said so to those who use it
    }
  }

  /// What a file is called by requests.
  private static String id(String file) {
    return LOCAL + Base64.getUrlEncoder().encodeToString(file.getBytes(StandardCharsets.UTF_8));
  }

  public Api put() {
    return request -> {
      throw Refusal.badArgument(INSTEAD);
    };
  }

  public Answer delete(ApiRequest request) {
    String id = request.required("id");
    if (databases.files().keySet().stream().anyMatch(file -> id(file).equals(id))) {
      throw Refusal.badArgument(
          "[" + id + "] lies in the store: delete the object there, and it is not used any more");
    }
    throw missing(id);
  }

  private static Refusal missing(String id) {
    return new Refusal(ErrorType.RESOURCE_NOT_FOUND, "Database configuration not found: " + id);
  }

  public Answer stats(ApiRequest request) {
    ObjectNode answer = Json.object();
    ObjectNode stats = answer.putObject("stats");
    for (String name :
        List.of(
            "successful_downloads",
            "failed_downloads",
            "total_download_time",
            "databases_count",
            "skipped_updates",
            "expired_databases")) {
      stats.put(name, 0);
    }
    ObjectNode own = answer.putObject("nodes").putObject(node);
    ArrayNode list = own.putArray("databases");
    databases.files().keySet().forEach(file -> list.addObject().put("name", file));
    own.putArray("files_in_temp");
    return Answer.of(200, answer);
  }
}
