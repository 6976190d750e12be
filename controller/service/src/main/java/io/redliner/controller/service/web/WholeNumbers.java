// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.plan.NumberText;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.GenericConverter;

/** Reads the whole numbers of queries as those of documents are read: {@code limit=1e2} is {@code limit=100}. */
final class WholeNumbers implements GenericConverter {

    @Override
    public Set<ConvertiblePair> getConvertibleTypes() {
        return Set.of(new ConvertiblePair(String.class, Integer.class), new ConvertiblePair(String.class, Long.class));
    }

    /** @throws IllegalArgumentException when it is no whole number; an empty text is none at all */
    @Override
    public @Nullable Object convert(@Nullable Object source, TypeDescriptor from, TypeDescriptor to) {
        String text = source == null ? "" : source.toString();
        if (text.isEmpty()) {
            return null;
        }
        if (to.getObjectType() == Long.class) {
            return NumberText.parseWhole(text);
        }
        return NumberText.parseInt(text);
    }
}
