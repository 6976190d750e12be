// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import java.util.Map;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * Two pools of connections to one database. The executor of runs has one for itself, and for requests that stop runs; pages,
 * reports, schedules and all else share the other one. However many connections viewers wait for, none of them is one that
 * renews a lease. The thread that asks for a connection decides which pool it comes from.
 */
public final class BulkheadDataSource extends AbstractRoutingDataSource {

    private static final ThreadLocal<Boolean> RESERVED = ThreadLocal.withInitial(() -> false);

    BulkheadDataSource(DataSource shared, DataSource reserved) {
        setDefaultTargetDataSource(shared);
        setTargetDataSources(Map.of(true, reserved, false, shared));
    }

    /** Runs a task whose connections come from the reserved pool. */
    public static <T extends @Nullable Object> T reserved(Supplier<T> work) {
        boolean before = RESERVED.get();
        RESERVED.set(true);
        try {
            return work.get();
        } finally {
            RESERVED.set(before);
        }
    }

    @Override
    protected Object determineCurrentLookupKey() {
        return RESERVED.get();
    }
}
