// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

import io.redliner.sla.InvalidRuleException;
import io.redliner.sla.Rule;
import io.redliner.sla.RuleCompiler;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;

/** Rules as they are written in a plan, for searches whose state has any. */
final class RuleSerializer {

    private record Written(String name, String expression, boolean informational) {}

    private RuleSerializer() {}

    /** Into a stored state. */
    static final class Writer extends ValueSerializer<Rule> {

        @Override
        public void serialize(Rule rule, JsonGenerator out, SerializationContext context) {
            out.writePOJO(new Written(rule.name(), rule.expression(), rule.informational()));
        }
    }

    /** Out of a stored state. */
    static final class Reader extends ValueDeserializer<Rule> {

        private final RuleCompiler compiler = new RuleCompiler();

        @Override
        public Rule deserialize(JsonParser in, DeserializationContext context) {
            var written = context.readValue(in, Written.class);
            try {
                return compiler.compile(written.name(), written.expression(), written.informational());
            } catch (InvalidRuleException e) {
                return context.reportInputMismatch(Rule.class, "not a rule: %s", e.getMessage());
            }
        }
    }
}
