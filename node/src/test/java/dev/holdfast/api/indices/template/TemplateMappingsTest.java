package dev.holdfast.api.indices.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TemplateMappingsTest {
  private static ObjectNode mapping(String text) {
    return (ObjectNode) Json.parse(text.replace('\'', '"'));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'runtime':{'a':{'type':'long'}}} | {'runtime':{'b':{'type':'ip'}}} | {'runtime':{'a':{'type':'long'},'b':{'type':'ip'}}}
          {'_meta':{'o':{'x':1},'s':1}} | {'_meta':{'o':{'y':2},'s':2}} | {'_meta':{'o':{'x':1,'y':2},'s':2}}
          {'_source':{'includes':['a'],'excludes':['x','b']}} | {'_source':{'excludes':['b','c']}} | {'_source':{'includes':['a'],'excludes':['b','c','x']}}
          {'dynamic_date_formats':['yyyy']} | {'dynamic_date_formats':['yyyy/MM']} | {'dynamic_date_formats':['yyyy/MM','yyyy']}
          {'dynamic':'strict','date_detection':false} | {'dynamic':'true'} | {'dynamic':'true','date_detection':false}
          {'properties':{'f':{'type':'text','fields':{'r':{'type':'keyword'}}}}} | {'properties':{'f':{'type':'text'}}} | {'properties':{'f':{'type':'text'}}}
          {'properties':{'o':{'dynamic':'false','subobjects':false,'properties':{'k':{'type':'long'}}}}} | {'properties':{'o':{'properties':{'j':{'type':'ip'}}}}} | {'properties':{'o':{'properties':{'k':{'type':'long'},'j':{'type':'ip'}},'subobjects':false}}}
          {'properties':{'o':{'type':'nested','properties':{'k':{'type':'long'}}}}} | {'properties':{'o':{'type':'object'}}} | {'properties':{'o':{'type':'object','properties':{'k':{'type':'long'}}}}}
          {'dynamic_templates':[{'t':{'mapping':{'type':'ip'}}},{'u':{'mapping':{}}}]} | {'dynamic_templates':[{'t':{'mapping':{'type':'long'}}}]} | {'dynamic_templates':[{'t':{'mapping':{'type':'long'}}},{'u':{'mapping':{}}}]}
          {} | {'dynamic_templates':[{'t':{'match':'a'}},{'u':{'match':'b'}},{'t':{'match':'c'}}]} | {'dynamic_templates':[{'t':{'match':'c'}},{'u':{'match':'b'}}]}
          """)
  void aTemplateGoesOverAnother(String under, String over, String both) {
    assertThat(TemplateMappings.merge(mapping(under), mapping(over))).isEqualTo(mapping(both));
  }
}
