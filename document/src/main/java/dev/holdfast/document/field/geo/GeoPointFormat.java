package dev.holdfast.document.field.geo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.field.NumericFormat;
import org.apache.lucene.geo.GeoEncodingUtils;

/// Points as `lat,lon`.
final class GeoPointFormat implements NumericFormat {
  static final GeoPointFormat PLAIN = new GeoPointFormat();

  private GeoPointFormat() {}

  @Override
  public double toDouble(long docValue) {
    return docValue;
  }

  @Override
  public Object toKey(long docValue) {
    return toText(docValue);
  }

  @Override
  public String toText(long docValue) {
    return GeoEncodingUtils.decodeLatitude((int) (docValue >> 32))
        + ","
        + GeoEncodingUtils.decodeLongitude((int) docValue);
  }

  @Override
  public String toText(double number) {
    return Double.toString(number);
  }

  @Override
  public long toDocValue(JsonNode value, boolean roundUp, long nowMillis) {
    return GeoPoints.docValue(GeoPoints.of(value));
  }

  @Override
  public boolean showsText() {
    return false;
  }
}
