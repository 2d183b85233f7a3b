package dev.holdfast.document.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ShardLayout;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.Routing;
import dev.holdfast.document.SeriesId;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.document.mapping.IndexMapping;
import dev.holdfast.world.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which documents are of one series, and which id they have.
final class SeriesReaderTest {
  private static final String FIELDS =
      """
      {"properties":{"@timestamp":{"type":"date"},
       "d":{"type":"keyword","time_series_dimension":true},
       "n":{"type":"long","time_series_dimension":true},
       "i":{"type":"ip","time_series_dimension":true},
       "o":{"properties":{"k":{"type":"keyword","time_series_dimension":true}}},
       "t":{"type":"text","fields":{"k":{"type":"keyword","time_series_dimension":true}}},
       "f":{"type":"flattened","time_series_dimensions":["x","y.z"]},
       "v":{"type":"double","time_series_metric":"gauge"}}}\
      """;

  private static final String TIME = "\"@timestamp\":\"2024-01-01T01:00:00Z\"";

  private static TreeMap<String, Object> settings(String... paths) {
    TreeMap<String, Object> settings = new TreeMap<>();
    settings.put(TimeSeries.MODE, "time_series");
    settings.put(TimeSeries.PATH, List.of(paths));
    settings.put(TimeSeries.START, "2024-01-01T00:00:00Z");
    settings.put(TimeSeries.END, "2024-01-02T00:00:00Z");
    return settings;
  }

  private static SeriesReader reader(String fields, String... paths) {
    TreeMap<String, Object> settings = settings(paths);
    Mapping mapping = IndexMapping.create((ObjectNode) Json.parse(fields), settings);
    return new SeriesReader(mapping, TimeSeries.of(settings));
  }

  private static SeriesId read(SeriesReader reader, String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return reader.scan(bytes, 0, bytes.length).id(Map.of());
  }

  private static SeriesId read(String members) {
    return read(
        reader(FIELDS, "d"), "{" + TIME + ",\"d\":\"a\"," + members.replace('\'', '"') + "}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          'n':5            ~ 'n':'5'                     ~ true
          'n':5            ~ 'n':6                       ~ false
          'n':[5,6]        ~ 'n':[6,5]                   ~ true
          'n':[5,5]        ~ 'n':5                       ~ false
          'n':5,'v':1      ~ 'v':2,'n':5                 ~ true
          'n':null         ~ 'v':1                       ~ true
          'i':'::1'        ~ 'i':'0:0:0:0:0:0:0:1'       ~ true
          'o':{'k':'x'}    ~ 'o.k':'x'                   ~ true
          'o':[{'k':'x'}]  ~ 'o':{'k':['x']}             ~ true
          'o':{'k':'x'}    ~ 't':'x'                     ~ false
          't':'x'          ~ 't':'y'                     ~ false
          'f':{'x':'1'}    ~ 'f':{'x':'1','w':'2'}       ~ true
          'f':{'x':'1'}    ~ 'f':{'y':'1'}               ~ false
          'f':{'y':{'z':'1'}} ~ 'f':{'y.z':'1'}          ~ true
          'f':{'y':{'z':'1'}} ~ 'f':{'y.z':'2'}          ~ false
          'u':1            ~ 'u':2                       ~ true
          """)
  void dimensionsTellSeriesApart(String one, String other, boolean isSame) {
    assertThat(Arrays.equals(read(one).series(), read(other).series())).isEqualTo(isSame);
  }

  @Test
  void theIdSaysSeriesTimeAndShard() {
    SeriesId id = read("'n':1");

    SeriesId back = Objects.requireNonNull(SeriesId.of(id.text()));

    assertThat(back.series()).isEqualTo(id.series());
    assertThat(back.time()).isEqualTo(1_704_070_800_000L);
    assertThat(back.routing()).isEqualTo(id.routing());
    assertThat(Routing.shard(id.text(), null, ShardLayout.of(7), settings("d")))
        .isEqualTo(Math.floorMod(id.routing(), 7));
  }

  @Test
  void onlyWhatTheSettingNamesRoutes() {
    SeriesReader reader = reader(FIELDS, "d", "o.*");
    String one = "{" + TIME + ",\"d\":\"a\",\"n\":%d,\"o\":{\"k\":\"%s\"}}";

    assertThat(read(reader, one.formatted(1, "x")).routing())
        .isEqualTo(read(reader, one.formatted(2, "x")).routing())
        .isNotEqualTo(read(reader, one.formatted(1, "y")).routing());
  }

  @Test
  void fieldsThatBecomeDimensionsCountFromTheFirstDocumentOn() {
    String fields =
        """
        {"dynamic_templates":[{"l":{"path_match":"l.*","mapping":{"type":"keyword","time_series_dimension":true}}}],
         "properties":{"@timestamp":{"type":"date"},"d":{"type":"keyword","time_series_dimension":true}%s}}\
        """;
    SeriesReader before = reader(fields.formatted(""), "d");
    SeriesReader after =
        reader(
            fields.formatted(
                ",\"l\":{\"properties\":{\"x\":{\"type\":\"keyword\",\"time_series_dimension\":true}}}"),
            "d");
    String document = "{" + TIME + ",\"d\":\"a\",\"l\":{\"x\":\"1\"}}";

    assertThat(read(before, document).text()).isEqualTo(read(after, document).text());
    assertThat(read(before, document).text())
        .isNotEqualTo(read(before, document.replace("\"1\"", "\"2\"")).text());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          {'d':'a'}                                     ~ failed to parse: data stream timestamp field [@timestamp] is missing
          {'@timestamp':null,'d':'a'}                   ~ failed to parse: data stream timestamp field [@timestamp] is missing
          {'@timestamp':'x','d':'a'}                    ~ failed to parse field [@timestamp] of type [date] in a time series document. Preview of field's value: 'x'
          {'@timestamp':'2024-01-01T01:00:00Z','n':1}   ~ Error extracting routing: source didn't contain any routing fields
          {'@timestamp':'2023-12-31T23:59:59.999Z','d':'a'} ~ failed to parse: time series index @timestamp value [2023-12-31T23:59:59.999Z] must be larger than 2024-01-01T00:00:00Z
          {'@timestamp':'2024-01-02','d':'a'}           ~ failed to parse: time series index @timestamp value [2024-01-02T00:00:00Z] must be smaller than 2024-01-02T00:00:00Z
          """)
  void refusesWhatHasNoPlace(String document, String reason) {
    SeriesReader reader = reader(FIELDS, "d");

    assertThatThrownBy(() -> read(reader, document.replaceAll("'(?!s)", "\""))).hasMessage(reason);
  }

  @Test
  void whatIsNoJsonIsRefusedAndWhatItsFieldRefusesIsLeftToTheShard() {
    SeriesReader reader = reader(FIELDS, "d");

    assertThatThrownBy(() -> read(reader, "{\"d\":\"a\",")).hasMessageContaining("parse");
    assertThat(read("'n':'x'").text()).isNotEqualTo(read("'n':'y'").text());
  }

  @ParameterizedTest
  @CsvSource({"''", "abc", "!!!", "KDUDn8fuHeI0ioTbaY3rHNcRjQNLrZuNb0ixxXL5w2E1uY0qVyhppst"})
  void otherIdsAreOfNoSeries(String id) {
    assertThat(SeriesId.of(id)).isNull();
    assertThatThrownBy(() -> Routing.shard(id, null, ShardLayout.of(2), settings("d")))
        .hasMessageContaining("invalid id [" + id + "]");
  }
}
