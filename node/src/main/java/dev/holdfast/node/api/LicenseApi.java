package dev.holdfast.node.api;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.node.NodeIdentity;
import dev.holdfast.node.http.Answer;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.ApiRequest;
import java.time.Instant;

/// `GET /_license`: the basic licence, active, that clients of the whole API look for.
final class LicenseApi implements Api {
  private final String clusterName;
  private final NodeIdentity self;
  private final Metadata metadata;

  LicenseApi(String clusterName, NodeIdentity self, Metadata metadata) {
    this.clusterName = clusterName;
    this.self = self;
    this.metadata = metadata;
  }

  @Override
  public Answer handle(ApiRequest request) {
    long issued = self.startMillis();
    return Answer.of(out -> {
      out.writeStartObject();
      out.writeObjectFieldStart("license");
      out.writeStringField("status", "active");
      out.writeStringField("uid", metadata.current().clusterUuid());
      out.writeStringField("type", "basic");
      out.writeStringField("issue_date", Instant.ofEpochMilli(issued).toString());
      out.writeNumberField("issue_date_in_millis", issued);
      out.writeNumberField("max_nodes", 1000);
      out.writeNullField("max_resource_units");
      out.writeStringField("issued_to", clusterName);
      out.writeStringField("issuer", "holdfast");
      out.writeNumberField("start_date_in_millis", -1);
      out.writeEndObject();
      out.writeEndObject();
    });
  }
}
