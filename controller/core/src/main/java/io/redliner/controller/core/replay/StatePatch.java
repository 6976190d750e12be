// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.replay;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.PropertyWriter;
import tools.jackson.databind.ser.bean.BeanSerializerBase;
import tools.jackson.databind.util.TokenBuffer;

/**
 * Merge patches (RFC 7396) between records, made without writing whole records: only components that differ are written as
 * JSON. The patch equals the one that {@link MergePatch} makes from the two whole trees.
 */
final class StatePatch {

    private final JsonMapper mapper;

    private final Map<Class<?>, List<BeanPropertyWriter>> properties = new ConcurrentHashMap<>();

    /** @param mapper writes the values */
    StatePatch(JsonMapper mapper) {
        this.mapper = mapper;
    }

    /** Returns the patch that turns {@code before} into {@code after}; an empty object when they are equal. */
    JsonNode between(Object before, Object after) {
        return before.getClass() == after.getClass()
                ? members(before, after, mapper._serializationContext())
                : MergePatch.between(mapper.valueToTree(before), mapper.valueToTree(after));
    }

    private ObjectNode members(Object before, Object after, SerializationContext context) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        for (BeanPropertyWriter property : properties(before, context)) {
            Object from = get(property, before);
            Object to = get(property, after);
            if (Objects.equals(from, to)) {
                continue;
            }
            if (from != null && to != null && from.getClass() == to.getClass()
                    && !properties(from, context).isEmpty()) {
                ObjectNode inner = members(from, to, context);
                if (!inner.isEmpty()) {
                    patch.set(property.getName(), inner);
                }
                continue;
            }
            JsonNode old = written(property, before, context);
            JsonNode now = written(property, after, context);
            if (now == null && old != null) {
                patch.putNull(property.getName());
            } else if (now != null && !now.equals(old)) {
                patch.set(property.getName(), MergePatch.between(old, now));
            }
        }
        return patch;
    }

    /** Returns the properties of a record that is written as a JSON object; none for any other value. */
    private List<BeanPropertyWriter> properties(Object value, SerializationContext context) {
        return properties.computeIfAbsent(value.getClass(), type -> {
            if (!type.isRecord() || !mapper.valueToTree(value).isObject()
                    || !(context.findValueSerializer(type) instanceof BeanSerializerBase serializer)) {
                return List.of();
            }
            List<BeanPropertyWriter> found = new ArrayList<>();
            for (Iterator<PropertyWriter> all = serializer.properties(); all.hasNext();) {
                if (!(all.next() instanceof BeanPropertyWriter property)) {
                    return List.of();
                }
                found.add(property);
            }
            return List.copyOf(found);
        });
    }

    private @Nullable JsonNode written(BeanPropertyWriter property, Object bean, SerializationContext context) {
        try (TokenBuffer buffer = TokenBuffer.forGeneration()) {
            buffer.writeStartObject();
            property.serializeAsProperty(bean, buffer, context);
            buffer.writeEndObject();
            try (JsonParser parser = buffer.asParser()) {
                JsonNode object = mapper.readTree(parser);
                return object.get(property.getName());
            }
        } catch (Exception failed) {
            throw new IllegalStateException(property + " cannot be written", failed);
        }
    }

    private static @Nullable Object get(BeanPropertyWriter property, Object bean) {
        try {
            return property.get(bean);
        } catch (Exception failed) {
            throw new IllegalStateException(property + " cannot be read", failed);
        }
    }
}
