package dev.holdfast.query.inspection;

import dev.holdfast.world.Registry;

/// Every question that nodes ask about one shard.
public final class ShardInspections {
  /// Questions by name.
  public static final Registry<ShardInspection> ALL =
      Registry.<ShardInspection>of("question")
          .with(ExplainInspection.NAME, ExplainInspection::answer)
          .with(ValidateInspection.NAME, ValidateInspection::answer)
          .with(MatchInspection.NAME, MatchInspection::answer)
          .with(PresentFieldsInspection.NAME, PresentFieldsInspection::answer)
          .with(TermsEnumInspection.NAME, TermsEnumInspection::answer)
          .with(FieldUsageInspection.NAME, FieldUsageInspection::answer)
          .with(TermVectorsInspection.NAME, TermVectorsInspection::answer);

  private ShardInspections() {}
}
