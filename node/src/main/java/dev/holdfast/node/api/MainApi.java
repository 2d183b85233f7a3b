package dev.holdfast.node.api;

import dev.holdfast.node.Rooms;
import dev.holdfast.node.Version;
import dev.holdfast.node.http.Answer;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.ApiRequest;
import dev.holdfast.node.settings.Flavor;

/// `GET /`: who this is; what clients check before anything else.
final class MainApi implements Api {
  private final Rooms rooms;

  MainApi(Rooms rooms) {
    this.rooms = rooms;
  }

  @Override
  public Answer handle(ApiRequest request) {
    return Answer.of(out -> {
      out.writeStartObject();
      out.writeStringField("name", name());
      out.writeStringField("cluster_name", rooms.settings().clusterName());
      out.writeStringField("cluster_uuid", rooms.metadata().current().clusterUuid());
      out.writeObjectFieldStart("version");
      out.writeStringField("number", Version.API);
      out.writeStringField("build_flavor", rooms.settings().flavor().label());
      out.writeStringField("build_type", "tar");
      out.writeStringField("build_hash", Version.CURRENT.buildHash());
      out.writeStringField("build_date", Version.CURRENT.buildDate());
      out.writeBooleanField("build_snapshot", false);
      out.writeStringField("lucene_version", org.apache.lucene.util.Version.LATEST.toString());
      out.writeStringField("minimum_wire_compatibility_version", Version.WIRE_COMPATIBLE);
      out.writeStringField("minimum_index_compatibility_version", Version.INDEX_COMPATIBLE);
      out.writeStringField("holdfast", Version.CURRENT.holdfast());
      out.writeEndObject();
      out.writeStringField("tagline", "You Know, for Search");
      out.writeEndObject();
    });
  }

  /// Who builds on a serverless server sees one server, whichever node answers.
  private String name() {
    Flavor flavor = rooms.settings().flavor();
    return flavor == Flavor.SERVERLESS ? flavor.label() : rooms.identity().name();
  }
}
