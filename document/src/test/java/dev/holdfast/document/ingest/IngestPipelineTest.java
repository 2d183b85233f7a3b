package dev.holdfast.document.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ingest.processor.Processors;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.real.RealWorld;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What pipelines make of documents.
class IngestPipelineTest {
  private final Map<String, IngestPipeline> stored = new HashMap<>();
  private final PipelineParser parser =
      new PipelineParser(Processors.all(), stored::get, RealWorld.create().clock());

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "{'set':{'field':'b.c','value':'x{{a}}'}} | {'a':1} | {'a':1,'b':{'c':'x1'}}",
        "{'set':{'field':'b','copy_from':'a'}} | {'a':[1]} | {'a':[1],'b':[1]}",
        "{'set':{'field':'a','value':2,'override':false}} | {'a':1} | {'a':1}",
        "{'append':{'field':'a','value':[2,3]}} | {'a':1} | {'a':[1,2,3]}",
        "{'append':{'field':'a','value':1,'allow_duplicates':false}} | {'a':[1]} | {'a':[1]}",
        "{'remove':{'field':'a.b'}} | {'a':{'b':1,'c':2}} | {'a':{'c':2}}",
        "{'remove':{'keep':'a.b'}} | {'a':{'b':1,'c':2},'d':3} | {'a':{'b':1}}",
        "{'rename':{'field':'a','target_field':'b'}} | {'a':1} | {'b':1}",
        "{'convert':{'field':'a','type':'integer'}} | {'a':['1','0x10']} | {'a':[1,16]}",
        "{'convert':{'field':'a','type':'auto'}} | {'a':'1.5'} | {'a':1.5}",
        "{'split':{'field':'a','separator':','}} | {'a':'x,y,,'} | {'a':['x','y']}",
        "{'join':{'field':'a','separator':'-'}} | {'a':[1,'b']} | {'a':'1-b'}",
        "{'sort':{'field':'a','order':'desc'}} | {'a':[1,3,2]} | {'a':[3,2,1]}",
        "{'gsub':{'field':'a','pattern':'\\\\d','replacement':'#'}} | {'a':'a1b2'} | {'a':'a#b#'}",
        "{'kv':{'field':'a','field_split':' ','value_split':'='}} | {'a':'x=1 y=2'} |"
            + " {'a':'x=1 y=2','x':'1','y':'2'}",
        "{'dot_expander':{'field':'*'}} | {'a.b':1} | {'a':{'b':1}}",
        "{'json':{'field':'a','add_to_root':true}} | {'a':'{~b~:2}'} | {'a':'{~b~:2}','b':2}",
        "{'csv':{'field':'a','target_fields':['b','c'],'trim':true}} | {'a':' 1 , ~x,y~ '} |"
            + " {'a':' 1 , ~x,y~ ','b':'1','c':'x,y'}",
        "{'foreach':{'field':'a','processor':{'uppercase':{'field':'_ingest._value'}}}} |"
            + " {'a':['x','y']} | {'a':['X','Y']}",
        "{'dissect':{'field':'a','pattern':'%{b->} %{?x} %{+c}-%{+c}','append_separator':'+'}} |"
            + " {'a':'1   z 2-3'} | {'a':'1   z 2-3','b':'1','c':'2+3'}",
        "{'dissect':{'field':'a','pattern':'%{*k}=%{&k}'}} | {'a':'x=1'} | {'a':'x=1','x':'1'}",
        "{'date':{'field':'a','target_field':'a','formats':['dd/MM/yyyy'],'timezone':'+02:00'}} |"
            + " {'a':'01/02/2020'} | {'a':'2020-02-01T00:00:00.000+02:00'}",
        "{'trim':{'field':'a','ignore_missing':true}} | {'b':1} | {'b':1}",
        "{'grok':{'field':'a','patterns':['no %{IP}','%{IPORHOST:ip} %{NUMBER:n.x:int} %{D:d}'],"
            + "'pattern_definitions':{'D':'[a-c]+'}}} | {'a':'::1 12 abz'} |"
            + " {'a':'::1 12 abz','ip':'::1','n':{'x':12},'d':'ab'}",
        "{'grok':{'field':'a','patterns':['%{INT:n:int}(?: %{INT:n:int})?(?: %{WORD:n})?$']}} |"
            + " {'a':'1 2 x'} | {'a':'1 2 x','n':[1,2,'x']}",
        "{'grok':{'field':'a','patterns':['%{INT:n:int}(?: %{INT:n:int})?$']}} | {'a':'1'} |"
            + " {'a':'1','n':1}",
      })
  void aProcessorChangesTheDocument(String processor, String before, String after) {
    // given
    IngestPipeline pipeline = pipeline("p", "{'processors':[" + processor + "]}");
    IngestDocument document = document(before);
    // when
    pipeline.run(document);
    // then
    assertThat(document.source()).hasToString(json(after).toString());
  }

  @Test
  void grokReadsTheLinesOfAWebServer() {
    // given
    IngestPipeline pipeline =
        pipeline(
            "p", "{'processors':[{'grok':{'field':'a','patterns':['%{COMBINEDAPACHELOG}']}}]}");
    IngestDocument document = document("{}");
    document
        .source()
        .put(
            "a",
            "70.193.17.92 - bob [08/Sep/2014:02:54:42 +0000] \"GET /a/b.png?c=d HTTP/1.1\" 200"
                + " 175208 \"http://example.org/\" \"Mozilla/5.0 (X; like Gecko)\"");
    // when
    pipeline.run(document);
    // then
    assertThat(document.source().remove(List.of("a")))
        .hasToString(
            "{\"clientip\":\"70.193.17.92\",\"ident\":\"-\",\"auth\":\"bob\","
                + "\"timestamp\":\"08/Sep/2014:02:54:42 +0000\",\"verb\":\"GET\","
                + "\"request\":\"/a/b.png?c=d\",\"httpversion\":\"1.1\",\"response\":\"200\","
                + "\"bytes\":\"175208\",\"referrer\":\"\\\"http://example.org/\\\"\","
                + "\"agent\":\"\\\"Mozilla/5.0 (X; like Gecko)\\\"\"}");
  }

  @Test
  void grokRefusesPatternsThatNameThemselvesAndTextsThatTakeTooLong() {
    // then
    assertThatThrownBy(() ->
            pipeline(
                "p",
                "{'processors':[{'grok':{'field':'a','patterns':['%{A}'],"
                    + "'pattern_definitions':{'A':'x%{A}'}}}]}"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("circular reference");
    // given
    IngestPipeline slow =
        pipeline("p", "{'processors':[{'grok':{'field':'a','patterns':['^(?:.*?,){25}P']}}]}");
    IngestDocument document = document("{}");
    document.source().put("a", ",".repeat(50));
    // then
    assertThatThrownBy(() -> slow.run(document))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("takes too long");
  }

  @Test
  void aFailureGoesToTheNearestHandlerWhichSeesWhatFailed() {
    // given
    IngestPipeline pipeline =
        pipeline(
            "p",
            """
            {'processors':[{'fail':{'tag':'t','message':'no {{a}}','on_failure':[
              {'set':{'field':'why','value':'{{_ingest.on_failure_processor_tag}}: \
            {{_ingest.on_failure_message}}'}}]}}],
             'on_failure':[{'set':{'field':'far','value':true}}]}\
            """);
    IngestDocument document = document("{'a':1}");
    // when
    pipeline.run(document);
    // then
    assertThat(document.source()).isEqualTo(json("{'a':1,'why':'t: no 1'}"));
    assertThat(document.ingest().has("on_failure_message")).isFalse();
  }

  @Test
  void anIgnoredFailureLetsTheNextStepRun() {
    // given
    IngestPipeline pipeline =
        pipeline(
            "p",
            "{'processors':[{'fail':{'message':'m','ignore_failure':true}},"
                + "{'set':{'field':'b','value':1}}]}");
    IngestDocument document = document("{}");
    // when
    pipeline.run(document);
    // then
    assertThat(document.source()).isEqualTo(json("{'b':1}"));
  }

  @Test
  void nothingRunsAfterADrop() {
    // given
    stored.put("inner", pipeline("inner", "{'processors':[{'drop':{}}]}"));
    IngestPipeline pipeline =
        pipeline(
            "p", "{'processors':[{'pipeline':{'name':'inner'}},{'set':{'field':'b','value':1}}]}");
    IngestDocument document = document("{}");
    // when
    pipeline.run(document);
    // then
    assertThat(document.isDropped()).isTrue();
    assertThat(document.source()).isEmpty();
  }

  @Test
  void pipelinesThatCallEachOtherInACircleAreRefused() {
    // given
    stored.put("a", pipeline("a", "{'processors':[{'pipeline':{'name':'b'}}]}"));
    stored.put("b", pipeline("b", "{'processors':[{'pipeline':{'name':'a'}}]}"));
    // then
    assertThatThrownBy(() -> stored.get("a").run(document("{}")))
        .isInstanceOf(Refusal.class)
        .hasMessage("Cycle detected for pipeline: a");
  }

  @Test
  void eachStepIsTold() {
    // given
    stored.put("inner", pipeline("inner", "{'processors':[{'fail':{'message':'m'}}]}"));
    IngestPipeline pipeline =
        pipeline(
            "p",
            "{'processors':[{'set':{'field':'a','value':1}},{'pipeline':{'name':'inner'}}],"
                + "'on_failure':[{'trim':{'field':'b','ignore_missing':true}}]}");
    IngestDocument document = document("{}");
    List<String> told = new ArrayList<>();
    document.traceTo((step, now, outcome, error) -> told.add(step.type() + " " + outcome));
    // when
    pipeline.run(document);
    // then
    assertThat(told).containsExactly("set SUCCESS", "pipeline CALL", "fail ERROR", "trim SUCCESS");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "{'processors':[{'set':{'tag':'t','value':1}}]} | [field] required property is missing",
        "{'processors':[{'sett':{}}]} | No processor type exists with name [sett]",
        "{'processors':[{'trim':{'field':'a','x':1}}]} | processor [trim] doesn't support one or"
            + " more provided configuration parameters [x]",
        "{'processors':[],'x':1} | pipeline [p] doesn't support one or more provided configuration"
            + " parameters [x]",
        "{'processors':[],'on_failure':[]} | pipeline [p] cannot have an empty on_failure option"
            + " defined",
        "{'processors':[{'dissect':{'field':'a','pattern':'none'}}]} | Unable to parse pattern:"
            + " [none]. Reason: Unable to find any keys or delimiters.",
      })
  void aWrongDefinitionIsRefused(String definition, String reason) {
    assertThatThrownBy(() -> pipeline("p", definition))
        .isInstanceOf(Refusal.class)
        .hasMessage(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          {'trim':{'tag':5,'field':'a'}}                      | tag | [tag] property isn't a string, but of type [java.lang.Integer]
          {'trim':{'tag':['t'],'field':'a'}}                  | tag | [tag] property isn't a string, but of type [java.util.ArrayList]
          {'trim':{'description':true,'field':'a'}}           | description | [description] property isn't a string, but of type [java.lang.Boolean]
          {'trim':{'ignore_failure':'true','field':'a'}}      | ignore_failure | [ignore_failure] property isn't a boolean, but of type [java.lang.String]
          {'trim':{'on_failure':{},'field':'a'}}              | on_failure | [on_failure] property isn't a list, but of type [java.util.HashMap]
          {'trim':{'on_failure':[],'field':'a'}}              | on_failure | [on_failure] processors list cannot be empty
          {'trim':{'if':5,'field':'a'}}                       | script | [script] property isn't a map or string, but of type [java.lang.Integer]
          {'trim':{'field':5}}                                | field | [field] property isn't a string, but of type [java.lang.Integer]
          {'trim':{'field':['a']}}                            | field | [field] property isn't a string, but of type [java.util.ArrayList]
          {'trim':{'field':null}}                             | field | [field] required property is missing
          {'trim':{'field':'a','ignore_missing':'true'}}      | ignore_missing | [ignore_missing] property isn't a boolean, but of type [java.lang.String]
          {'set':{'field':'a','value':1,'override':0}}        | override | [override] property isn't a boolean, but of type [java.lang.Integer]
          {'rename':{'field':'a','target_field':1.5}}         | target_field | [target_field] property isn't a string, but of type [java.lang.Double]
          {'grok':{'field':'a','patterns':'x'}}               | patterns | [patterns] property isn't a list, but of type [java.lang.String]
          {'grok':{'field':'a','patterns':[1]}}               | patterns | [patterns] property has an element that isn't a string, but of type [java.lang.Integer]
          {'grok':{'field':'a'}}                              | patterns | [patterns] required property is missing
          {'grok':{'field':'a','patterns':['x'],'pattern_definitions':[]}} | pattern_definitions | [pattern_definitions] property isn't a map, but of type [java.util.ArrayList]
          {'date':{'field':'a','formats':'ISO8601'}}          | formats | [formats] property isn't a list, but of type [java.lang.String]
          {'csv':{'field':'a','target_fields':'b'}}           | target_fields | [target_fields] property isn't a list, but of type [java.lang.String]
          {'kv':{'field':'a','field_split':' ','value_split':'=','include_keys':'b'}} | include_keys | [include_keys] property isn't a list, but of type [java.lang.String]
          {'remove':{'field':[1]}}                            | field | [field] property has an element that isn't a string, but of type [java.lang.Integer]
          {'community_id':{'seed':'x'}}                       | seed | [seed] property cannot be converted to an int [x]
          {'foreach':{'field':'a','processor':'trim'}}        | processor | [processor] property isn't a map, but of type [java.lang.String]
          {'foreach':{'field':'a','processor':[{}]}}          | processor | [processor] property isn't a map, but of type [java.util.ArrayList]
          {'foreach':{'field':'a','processor':{}}}            | processor | [processor] Must specify exactly one processor type
          """)
  void anOptionOfAnotherKindIsRefusedByItsName(String processor, String property, String reason) {
    assertThatThrownBy(() -> pipeline("p", "{'processors':[" + processor + "]}"))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> {
              assertThat(refusal.reason()).isEqualTo(reason);
              assertThat(refusal.type()).isEqualTo(ErrorType.PARSE);
              assertThat(refusal.metadata()).containsEntry("property_name", property);
            });
  }

  @Test
  void aRefusalNamesTheProcessorUnlessTheOptionIsOneOfAll() {
    assertThatThrownBy(() -> pipeline("p", "{'processors':[{'trim':{'tag':'t','field':5}}]}"))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal ->
                assertThat(refusal.metadata())
                    .containsEntry("processor_type", "trim")
                    .containsEntry("processor_tag", "t"));
    assertThatThrownBy(() -> pipeline("p", "{'processors':[{'trim':{'tag':5,'field':'a'}}]}"))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> assertThat(refusal.metadata()).doesNotContainKey("processor_type"));
    assertThatThrownBy(() -> pipeline("p", "{'processors':[{'trim':5}]}"))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> {
              assertThat(refusal.reason())
                  .isEqualTo("property isn't a map, but of type [java.lang.Integer]");
              assertThat(refusal.metadata()).containsEntry("processor_type", "trim");
            });
  }

  @Test
  void aScriptMayBeItsTextAlone() {
    IngestPipeline pipeline = pipeline("p", "{'processors':[{'script':'ctx.a = 2'}]}");
    IngestDocument document = document("{'a':1}");
    document.metadata().put("_version", 1);

    pipeline.run(document);

    assertThat(document.source()).isEqualTo(json("{'a':2}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "{'foreach':{'field':'a','processor':{'trim':{'field':'_ingest._value'}}}} | field [a] of"
            + " type [java.lang.Integer] cannot be cast to a list or map",
        "{'foreach':{'field':'s','ignore_missing':true,'processor':{'trim':{'field':'x'}}}} | field"
            + " [s] of type [java.lang.String] cannot be cast to a list or map",
        "{'foreach':{'field':'n','processor':{'trim':{'field':'x'}}}} | field [n] is null, cannot"
            + " loop over its elements.",
        "{'foreach':{'field':'x','processor':{'trim':{'field':'x'}}}} | field [x] not present as"
            + " part of path [x]",
        "{'uppercase':{'field':'x'}} | field [x] not present as part of path [x]",
        "{'uppercase':{'field':'n'}} | field [n] is null, cannot process it.",
        "{'uppercase':{'field':'a'}} | field [a] of type [java.lang.Integer] cannot be cast to"
            + " [java.lang.String]",
        "{'rename':{'field':'x','target_field':'y'}} | field [x] doesn't exist",
        "{'convert':{'field':'s','type':'integer'}} | unable to convert [bar] to integer",
        "{'set':{'field':'a.b','value':1}} | cannot resolve [b] from object of type"
            + " [java.lang.Integer] as part of path [a.b]",
        "{'set':{'field':'l.2','value':1}} | [2] is out of bounds for array with length [1] as part"
            + " of path [l.2]",
      })
  void aDocumentThatDoesNotFitIsRefused(String processor, String reason) {
    // given
    IngestPipeline pipeline = pipeline("p", "{'processors':[" + processor + "]}");
    // then
    assertThatThrownBy(() -> pipeline.run(document("{'a':1,'n':null,'s':'bar','l':[1]}")))
        .isInstanceOf(Refusal.class)
        .hasMessage(reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", "null", "'set'", "[{}]", "true"})
  void whatIsNoObjectIsNoProcessor(String element) {
    for (String list : new String[] {"[%s]", "[{'set':{'field':'a','value':1}},%s]"}) {
      String processors = list.formatted(element);
      assertThatThrownBy(() -> pipeline("p", "{'processors':" + processors + "}"))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("a processor is an object, but found one of type");
    }
    assertThatThrownBy(() -> pipeline("p", "{'processors':[],'on_failure':[" + element + "]}"))
        .isInstanceOf(Refusal.class);
  }

  private IngestPipeline pipeline(String id, String definition) {
    return parser.pipeline(id, json(definition));
  }

  private static IngestDocument document(String source) {
    return new IngestDocument(
        json(source), Json.object().put("_index", "i"), "2020-01-01T00:00:00.000Z");
  }

  private static ObjectNode json(String text) {
    return Json.parseObject(text.replace("'", "\"").replace("~", "\\\""));
  }
}
