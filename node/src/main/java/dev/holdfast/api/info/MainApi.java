package dev.holdfast.api.info;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.identity.Version;
import dev.holdfast.settings.BuildFlavor;
import dev.holdfast.settings.NodeSettings;

/// `GET /`: who this is; what clients check before anything else.
public final class MainApi implements Api {
  private final NodeSettings settings;
  private final NodeIdentity self;
  private final Metadata metadata;

  public MainApi(NodeSettings settings, NodeIdentity self, Metadata metadata) {
    this.settings = settings;
    this.self = self;
    this.metadata = metadata;
  }

  @Override
  public Answer handle(ApiRequest request) {
    return Answer.of(out -> {
      out.writeStartObject();
      out.writeStringField("name", name());
      out.writeStringField("cluster_name", settings.clusterName());
      out.writeStringField("cluster_uuid", metadata.current().clusterUuid());
      out.writeObjectFieldStart("version");
      out.writeStringField("number", Version.API);
      out.writeStringField("build_flavor", settings.flavor().label());
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
    BuildFlavor flavor = settings.flavor();
    return flavor == BuildFlavor.SERVERLESS ? flavor.label() : self.name();
  }
}
