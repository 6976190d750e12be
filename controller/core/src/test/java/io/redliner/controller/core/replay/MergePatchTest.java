// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class MergePatchTest {

    private static final JsonMapper JSON = JsonMapper.shared();

    /** Of RFC 7396, appendix A. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "{\"a\":\"b\"}|{\"a\":\"c\"}|{\"a\":\"c\"}",
        "{\"a\":\"b\"}|{\"b\":\"c\"}|{\"a\":\"b\",\"b\":\"c\"}",
        "{\"a\":\"b\"}|{\"a\":null}|{}",
        "{\"a\":\"b\",\"b\":\"c\"}|{\"a\":null}|{\"b\":\"c\"}",
        "{\"a\":[\"b\"]}|{\"a\":\"c\"}|{\"a\":\"c\"}",
        "{\"a\":\"c\"}|{\"a\":[\"b\"]}|{\"a\":[\"b\"]}",
        "{\"a\":{\"b\":\"c\"}}|{\"a\":{\"b\":\"d\",\"c\":null}}|{\"a\":{\"b\":\"d\"}}",
        "{\"a\":[{\"b\":\"c\"}]}|{\"a\":[1]}|{\"a\":[1]}",
        "[\"a\",\"b\"]|[\"c\",\"d\"]|[\"c\",\"d\"]",
        "{\"a\":\"b\"}|[\"c\"]|[\"c\"]",
        "{\"e\":null}|{\"a\":1}|{\"e\":null,\"a\":1}",
        "[1,2]|{\"a\":\"b\",\"c\":null}|{\"a\":\"b\"}",
        "{}|{\"a\":{\"bb\":{\"ccc\":null}}}|{\"a\":{\"bb\":{}}}"})
    void a_patch_is_applied_as_the_rfc_says(String before, String patch, String after) {
        assertThat(MergePatch.apply(JSON.readTree(before), JSON.readTree(patch))).isEqualTo(JSON.readTree(after));
    }

    @Test
    void what_a_patch_makes_of_a_value_is_the_other_value_but_for_nulls() {
        Random random = new Random(1);
        for (int number = 0; number < 20_000; number++) {
            JsonNode before = JSON.readTree(object(random, 3));
            JsonNode after = JSON.readTree(object(random, 3));

            JsonNode patch = MergePatch.between(before, after);

            assertThat(withoutNulls(MergePatch.apply(before, patch))).as("%s to %s by %s", before, after, patch)
                    .isEqualTo(withoutNulls(after));
            assertThat(MergePatch.between(after, after)).isEqualTo(JSON.createObjectNode());
        }
    }

    private static String object(Random random, int depth) {
        StringBuilder text = new StringBuilder("{");
        for (String name : new String[]{"a", "b", "c"}) {
            if (random.nextInt(3) > 0) {
                text.append(text.length() > 1 ? "," : "").append('"').append(name).append("\":")
                        .append(value(random, depth));
            }
        }
        return text.append('}').toString();
    }

    private static String value(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 6 : 4)) {
            case 0 -> Integer.toString(random.nextInt(3));
            case 1 -> "\"" + random.nextInt(3) + "\"";
            case 2 -> "null";
            case 3 -> "[" + random.nextInt(2) + "," + random.nextInt(2) + "]";
            default -> object(random, depth - 1);
        };
    }

    private static JsonNode withoutNulls(JsonNode value) {
        return MergePatch.apply(JSON.createObjectNode(), value);
    }
}
