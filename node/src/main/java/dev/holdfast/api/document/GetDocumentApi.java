package dev.holdfast.api.document;

import dev.holdfast.api.search.SearchTargets;
import dev.holdfast.api.search.SourceParameters;
import dev.holdfast.api.search.lookup.StoredValues;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.query.source.SourceFilter;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// `GET /{index}/_doc/{id}`, and with it HEAD.
public final class GetDocumentApi implements Api {
  public static final List<String> PARAMETERS = parameters();

  private final DocumentReads reads;

  public GetDocumentApi(DocumentReads reads) {
    this.reads = reads;
  }

  private static List<String> parameters() {
    List<String> all =
        new ArrayList<>(
            List.of(
                "routing",
                "realtime",
                "refresh",
                "preference",
                "version",
                "version_type",
                "stored_fields",
                "force_synthetic_source",
                "_source_exclude_vectors"));
    all.addAll(SourceParameters.NAMES);
    return List.copyOf(all);
  }

  static DocumentReads.Wanted wanted(ApiRequest request) {
    String type = versionType(request);
    long version = request.longValue("version", DocumentReads.VERSION_ANY);
    requireVersion(version, type);
    SearchTargets.requirePreference(request);
    List<String> stored = request.list("stored_fields");
    SourceFilter source =
        SourceParameters.read(request, !request.has("stored_fields") || stored.contains("_source"));
    return new DocumentReads.Wanted(
        request.required("index"),
        request.required("id"),
        request.text("routing"),
        request.flag("realtime", true),
        request.flag("refresh", false),
        version,
        source,
        stored.isEmpty() || stored.contains("_routing"),
        stored);
  }

  private static String versionType(ApiRequest request) {
    String type = request.text("version_type", "internal");
    if (!List.of("internal", "external", "external_gt", "external_gte").contains(type)) {
      throw Refusal.badArgument("No version type match [" + type + "]");
    }
    return type.equals("external_gt") ? "external" : type;
  }

  /// No document has one below: a version of its own begins with 1, one that a client gives with 0.
  private static void requireVersion(long version, String type) {
    if (version != DocumentReads.VERSION_ANY && version < (type.equals("internal") ? 1 : 0)) {
      throw WriteConditions.invalid(
          List.of(
              "illegal version value ["
                  + version
                  + "] for version type ["
                  + type.toUpperCase(Locale.ROOT)
                  + "]"));
    }
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    DocumentReads.Wanted wanted = wanted(request);
    DocumentReads.Found found = reads.read(wanted);
    return Answer.of(
        found.document().exists() ? 200 : 404,
        out -> {
          out.writeStartObject();
          DocumentReads.write(out, found, wanted, new StoredValues());
          out.writeEndObject();
        });
  }
}
