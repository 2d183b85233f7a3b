package dev.holdfast.api.document;

import dev.holdfast.api.search.ShownSource;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.query.source.SourceFilter;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.RawJson;
import dev.holdfast.world.Refusal;
import java.util.List;

/// `GET /{index}/_source/{id}`, and with it HEAD: the document alone.
public final class GetSourceApi implements Api {
  private final DocumentReads reads;

  public GetSourceApi(DocumentReads reads) {
    this.reads = reads;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    DocumentReads.Wanted wanted = GetDocumentApi.wanted(request);
    if (!wanted.source().isShown()) {
      throw WriteConditions.invalid(List.of("fetching source can not be disabled"));
    }
    DocumentReads.Found found = reads.read(wanted);
    byte[] source = found.document().source();
    if (source == null && found.document().exists()) {
      throw new Refusal(
          ErrorType.RESOURCE_NOT_FOUND,
          "Source not found [" + wanted.index() + "]/[" + wanted.id() + "]");
    }
    if (source == null) {
      throw new Refusal(
          ErrorType.RESOURCE_NOT_FOUND,
          (found.document().exists() ? "Source" : "Document")
              + " not found ["
              + wanted.index()
              + "]/["
              + wanted.id()
              + "]");
    }
    SourceFilter shown = ShownSource.of(found.index(), wanted.source());
    return Answer.of(out -> RawJson.write(out, shown.apply(source)));
  }
}
