package dev.holdfast.document.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ingest.processor.Processors;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.real.RealWorld;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Options of processors, and what they make of documents.
final class ProcessorOptionsTest {
  private static ObjectNode json(String text) {
    return Json.parseObject(text.replace("'", "\"").replace("~", "\\\""));
  }

  private static ObjectNode run(String processor, String source) {
    PipelineParser parser =
        new PipelineParser(Processors.all(), _ -> null, RealWorld.create().clock());
    IngestDocument document =
        new IngestDocument(
            json(source), Json.object().put("_index", "i"), "2020-01-01T00:00:00.000Z");
    parser.pipeline("p", json("{'processors':[" + processor + "]}")).run(document);
    return document.source();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          {'set':{'field':'b','value':'{{a}}'}} | {'a':'x ~y~'} | x \\"y\\"
          {'set':{'field':'b','value':'{{{a}}}{{& a}}'}} | {'a':'~y~'} | "y""y"
          {'set':{'field':'b','value':'{{a}}','media_type':'text/plain'}} | {'a':'~y~'} | "y"
          {'set':{'field':'b','value':'{{a}}','media_type':'application/x-www-form-urlencoded'}} | {'a':'x &'} | x+%26
          {'set':{'field':'b','value':'{{a}} {{c}}'}} | {'a':['x',[1]],'c':{'d':{},'e':['y']}} | {0=x, 1=[1]} {d={}, e=[y]}
          {'append':{'field':'b','value':'{{a}}','media_type':'text/plain'}} | {'a':'~y~'} | ["\\"y\\""]
          {'append':{'field':'b','copy_from':'a'}} | {'a':[1,null],'b':0} | [0,1,null]
          {'append':{'field':'b','copy_from':'a','ignore_empty_values':true}} | {'a':[1,null,''],'b':0} | [0,1]
          {'append':{'field':'b','value':['{{a}}','c'],'ignore_empty_values':true}} | {} | ["c"]
          {'append':{'field':'b','copy_from':'a','ignore_empty_values':true}} | {'b':0} | 0
          {'append':{'field':'b','value':['x','x'],'allow_duplicates':false}} | {'b':'x'} | x
          {'append':{'field':'b','value':'y','allow_duplicates':false}} | {'b':'x'} | ["x","y"]
          {'append':{'field':'b','value':[]}} | {'b':'x'} | ["x"]
          {'convert':{'field':'a','target_field':'b','type':'string'}} | {'a':{'c':[1,null],'d':'e'}} | {c=[1, null], d=e}
          {'csv':{'field':'a','target_fields':['c','b'],'empty_value':'none'}} | {'a':'x,'} | ^^
          {'csv':{'field':'a','target_fields':['b','c'],'empty_value':'none'}} | {'a':''} | ^^
          {'csv':{'field':'a','target_fields':['b','c'],'empty_value':'none'}} | {'a':',x'} | none
          {'fingerprint':{'fields':['u'],'target_field':'b'}} | {'u':{'last_name':'Smith','first_name':'John','date_of_birth':'1980-01-15','is_active':true}} | WbSUPW4zY1PBPehh2AA/sSxiRjw=
          {'fingerprint':{'fields':['d','c'],'target_field':'b','method':'SHA-256'}} | {'c':{'y':1099511627776,'x':2},'d':[1.5,null,false,'z']} | /5cRXOyZI22KK/33cVFnpfO88eo+QVLneV3r/cBs8pY=
          {'fingerprint':{'fields':['d','c'],'target_field':'b','method':'MurmurHash3','salt':' '}} | {'c':{'y':1099511627776,'x':2},'d':[1.5,null,false,'z']} | zha1EzP1moaLb/h/iW2a1w==
          {'fingerprint':{'fields':['a','c'],'target_field':'b','salt':'pepper','ignore_missing':true}} | {'a':'z','c':null} | gbb29Ab/WMBkNS4zX4gwhoPnbAA=
          {'join':{'field':'a','target_field':'b','separator':'-'}} | {'a':['x',1.5,{'c':[1,{'d':null}]},[]]} | x-1.5-{c=[1, {d=null}]}-[]
          {'json':{'field':'a','target_field':'b','strict_json_parsing':false}} | {'a':'123 ~foo~'} | 123
          {'json':{'field':'a','target_field':'b'}} | {'a':[1,2]} | [1,2]
          {'foreach':{'field':'b','processor':{'set':{'field':'_ingest._key','value':'{{_ingest._value}}'}}}} | {'b':{'x':'y','z':''}} | {"y":"y"}
          {'network_direction':{'internal_networks':['public'],'source_ip':'a','destination_ip':'c','target_field':'b'}} | {'a':'8.8.8.8','c':'255.255.255.255'} | outbound
          {'redact':{'field':'b','patterns':['SSN %{NUMBER:number}(, %{WORD:word})?']}} | {'b':'an SSN 12, ab! SSN 3'} | an <number>! <number>
          {'redact':{'field':'b','patterns':['%{NUMBER:number}%','(?<one>x)']}} | {'b':'12%xx y x'} | <number> y <one>
          {'uri_parts':{'field':'a','target_field':'b','keep_original':false}} | {'a':'http://u:p@x.org:80/d%20/c.gz?q=1#f'} | {"domain":"x.org","fragment":"f","path":"/d /c.gz","extension":"gz","port":80,"query":"q=1","scheme":"http","user_info":"u:p","username":"u","password":"p"}
          {'uri_parts':{'field':'a','target_field':'b','keep_original':false}} | {'a':'https://[::1]:9200/d%20 {1}?q=a b#'} | {"domain":"[::1]","fragment":"","path":"/d%20 {1}","port":9200,"query":"q=a b","scheme":"https"}
          {'uri_parts':{'field':'a','target_field':'b','keep_original':false}} | {'a':'mailto:x@y.z'} | {"domain":null,"scheme":"mailto"}
          {'kv':{'field':'a','field_split':' ','value_split':'=','strip_brackets':true}} | {'a':'b=(c'} | c
          {'kv':{'field':'a','field_split':' ','value_split':'=','strip_brackets':true}} | {'a':'b=c]'} | c
          {'kv':{'field':'a','field_split':'&','value_split':'=','trim_key':'_','trim_value':'#.'}} | {'a':'_b=.#c.s#'} | c.s
          {'date':{'field':'a','target_field':'b','formats':['ISO8601'],'output_format':'epoch_millis'}} | {'a':'2020-01-01T00:00:01Z'} | 1577836801000
          {'date':{'field':'a','target_field':'b','formats':['ISO8601'],'output_format':'SSSSSSSSS'}} | {'a':'2020-01-01T00:00:01.123456789Z'} | 123456789
          ^{'date':{'field':'a','target_field':'b','formats':['strict_date||d MMMM uuuu'],'locale':'{{c}}','output_format':'strict_date'}}^ | {'a':'3 mars 2020','c':'fr'} | 2020-03-03
          """)
  void anOptionHasItsEffect(String processor, String before, String found) {
    JsonNode b = run(processor, before).path("b");

    assertThat(b.isTextual() ? b.asText() : b.toString()).isEqualTo(found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          {'set':{'field':'b','value':1,'media_type':'text/html'}} | [media_type] property does not contain a supported media type [text/html]
          {'append':{'field':'b','value':1,'copy_from':'a'}} | [copy_from] cannot set both `copy_from` and `value` in the same processor
          {'append':{'field':'b'}} | [value] required property is missing
          {'append':{'field':'b','copy_from':'c'}} | field [c] not present as part of path [c]
          {'dot_expander':{'field':'a.b.c'}} | cannot expand [a.b.c], because [a] is not an object field, but a value field
          {'dissect':{'field':'e','pattern':'%{b}'}} | ^Unable to find match for dissect pattern: %{b} against source: ^
          {'csv':{'field':'n','target_fields':['b']}} | Illegal character inside unquoted field at 1
          {'fingerprint':{'fields':['a','z']}} | missing field [z] when calculating fingerprint
          {'fingerprint':{'fields':['big']}} | cannot convert [18446744073709551616] to bytes: no 64 bits hold it
          {'redact':{'field':'a','patterns':['%{WORD}']}} | [patterns] [%{WORD}] gives no name that could stand in the place of a match
          {'reroute':{'dataset':'x{{a}}'}} | [dataset] 'x{{a}}' is not a valid field reference
          {'reroute':{'namespace':['{{a}}-{{b}}']}} | [namespace] '{{a}}-{{b}}' is not a valid field reference
          {'json':{'field':'o'}} | field [o] holds an object, no text of JSON
          {'set':{'field':'a','value':'x y'}},{'uri_parts':{'field':'a'}} | unable to parse URI [x y]
          {'set':{'field':'a','value':'http://x:y/ '}},{'uri_parts':{'field':'a'}} | unable to parse URI [http://x:y/ ]
          """)
  void whatIsNoUseIsRefused(String processor, String reason) {
    assertThatThrownBy(() ->
            run(
                processor,
                "{'a':'foo','o':{'x':1},'a.b.c':1,'e':'','n':'x\\ny','z':null,"
                    + "'big':18446744073709551616}"))
        .isInstanceOf(Refusal.class)
        .hasMessage(reason);
  }

  /// What one document does with its value is nothing to the next.
  @Test
  void anEmptyValueIsEachDocumentsOwn() {
    PipelineParser parser =
        new PipelineParser(Processors.all(), _ -> null, RealWorld.create().clock());
    IngestPipeline pipeline =
        parser.pipeline(
            "p",
            json(
                "{'processors':[{'csv':{'field':'a','target_fields':['b','c'],'empty_value':[]}},"
                    + "{'append':{'field':'b','value':'x'}}]}"));
    for (int i = 0; i < 2; i++) {
      IngestDocument document =
          new IngestDocument(json("{'a':',y'}"), Json.object(), "2020-01-01T00:00:00.000Z");
      pipeline.run(document);

      assertThat(document.source().path("b")).hasSize(1);
    }
  }

  @Test
  void aHandlerIsToldTheInnermostCause() {
    ObjectNode source =
        run(
            "{'convert':{'field':'a','type':'integer','on_failure':[{'set':{'field':'b','value':"
                + "'{{{_ingest.on_failure_message}}}'}}]}}",
            "{'a':'x'}");

    assertThat(source.path("b").asText()).isEqualTo("For input string: \"x\"");
  }
}
