// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import com.github.kagkarlsson.scheduler.serializer.Serializer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Tasks have texts, which people can read in the table and other versions can read too. */
public final class TaskDataSerializer implements Serializer {

    @Override
    public byte @Nullable [] serialize(@Nullable Object data) {
        return data == null ? null : data.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public <T> @Nullable T deserialize(Class<T> type, byte @Nullable [] serialized) {
        return serialized == null ? null : type.cast(new String(serialized, StandardCharsets.UTF_8));
    }
}
