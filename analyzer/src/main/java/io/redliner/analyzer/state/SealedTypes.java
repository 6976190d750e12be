// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.redliner.analyzer.search.SearchState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.jsontype.NamedType;

/**
 * Tells Jackson that what implements a sealed interface is to be named, and which names there are; the states of a
 * search are the implementations of one kind of {@link SearchState}.
 */
final class SealedTypes extends JacksonAnnotationIntrospector {

    private static final long serialVersionUID = 1L;

    /** What is stored keeps the names that its types had when it was stored first. */
    private static final Map<String, String> STORED = Map.of("SearchPhaseState", "RideState");

    private final Class<?> kind;

    SealedTypes(Class<?> kind) {
        this.kind = kind;
    }

    /** The sealed interface that the state belongs to, or its own class. */
    static Class<?> kindOf(SearchState state) {
        return Stream.iterate(List.<Class<?>>of(state.getClass()), types -> !types.isEmpty(), SealedTypes::above)
                .flatMap(List::stream).filter(Class::isSealed).filter(SearchState.class::isAssignableFrom)
                .reduce(state.getClass(), (nearest, farther) -> farther);
    }

    @Override
    public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(MapperConfig<?> config, Annotated annotated) {
        return named(annotated.getRawType())
                ? SnapshotCodec.BY_NAME
                : super.findPolymorphicTypeInfo(config, annotated);
    }

    @Override
    public @Nullable List<NamedType> findSubtypes(MapperConfig<?> config, Annotated annotated) {
        var type = annotated.getRawType();
        if (!named(type)) {
            return super.findSubtypes(config, annotated);
        }
        return leaves(type == SearchState.class ? kind : type)
                .map(leaf -> new NamedType(leaf, storedName(leaf)))
                .toList();
    }

    private static String storedName(Class<?> leaf) {
        String name = leaf.getName().substring(leaf.getName().lastIndexOf('.') + 1);
        int nested = name.indexOf('$');
        String outer = nested < 0 ? name : name.substring(0, nested);
        return STORED.getOrDefault(outer, outer) + (nested < 0 ? "" : name.substring(nested));
    }

    private static boolean named(Class<?> type) {
        return type == SearchState.class || type.isSealed();
    }

    private static Stream<Class<?>> leaves(Class<?> type) {
        var permitted = type.getPermittedSubclasses();
        return permitted == null ? Stream.of(type) : Stream.of(permitted).flatMap(SealedTypes::leaves);
    }

    private static List<Class<?>> above(List<Class<?>> types) {
        var above = new ArrayList<Class<?>>();
        for (var type : types) {
            above.addAll(List.of(type.getInterfaces()));
            if (type.getSuperclass() != null) {
                above.add(Objects.requireNonNull(type.getSuperclass()));
            }
        }
        return above;
    }
}
