// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.replay;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** JSON merge patches as in RFC 7396, in which null and an absent member are the same. */
final class MergePatch {

    private MergePatch() {}

    /**
     * Returns the patch that turns {@code before} into {@code after}. Both come from one reader, so that their numbers have the
     * same types.
     */
    static JsonNode between(@Nullable JsonNode before, JsonNode after) {
        if (!(before instanceof ObjectNode from) || !(after instanceof ObjectNode to)) {
            return after;
        }
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        from.propertyNames().stream().filter(name -> !to.has(name)).forEach(patch::putNull);
        for (Map.Entry<String, JsonNode> member : to.properties()) {
            JsonNode old = from.get(member.getKey());
            if (!member.getValue().equals(old)) {
                patch.set(member.getKey(), between(old, member.getValue()));
            }
        }
        return patch;
    }

    /** Applies a patch to a value. */
    static JsonNode apply(@Nullable JsonNode before, JsonNode patch) {
        if (!(patch instanceof ObjectNode members)) {
            return patch;
        }
        ObjectNode after = before instanceof ObjectNode from ? from.deepCopy() : JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> member : members.properties()) {
            if (member.getValue().isNull()) {
                after.remove(member.getKey());
            } else {
                after.set(member.getKey(), apply(after.get(member.getKey()), member.getValue()));
            }
        }
        return after;
    }
}
