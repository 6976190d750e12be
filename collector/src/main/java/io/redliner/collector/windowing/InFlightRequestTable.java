// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Requests by their keys, which several attempts of one request share: open addressing with linear probing, at most half full, so that putting and removing make no
 * garbage once it has its size.
 */
final class InFlightRequestTable {

    private static final int MIN_SLOTS = 64;

    private @Nullable InFlightRequest[] slots = new InFlightRequest[MIN_SLOTS];

    private int size;

    int size() {
        return size;
    }

    void put(InFlightRequest request) {
        if (2 * (size + 1) > slots.length) {
            grow();
        }
        insert(request);
        size++;
    }

    /** Returns the attempt at an instance that began at this time by the proxy's clock; null when it is not there. */
    @Nullable
    InFlightRequest find(long high, long low, String instance, long proxyStartedAt) {
        int mask = slots.length - 1;
        int index = (int) low & mask;
        for (InFlightRequest request = slots[index]; request != null; request = slots[index]) {
            if (request.is(high, low) && request.proxyStartedAt() == proxyStartedAt
                    && request.instance().equals(instance)) {
                return request;
            }
            index = (index + 1) & mask;
        }
        return null;
    }

    /** Returns the number of attempts of a request, or of several requests that have its id. */
    int count(long high, long low) {
        int mask = slots.length - 1;
        int count = 0;
        int index = (int) low & mask;
        for (InFlightRequest request = slots[index]; request != null; request = slots[index]) {
            count += request.is(high, low) ? 1 : 0;
            index = (index + 1) & mask;
        }
        return count;
    }

    /** Removes an attempt at an instance and returns it; null when there is none. It prefers an attempt that has ended there. */
    @Nullable
    InFlightRequest remove(long high, long low, String instance) {
        int mask = slots.length - 1;
        int found = -1;
        int index = (int) low & mask;
        for (InFlightRequest request = slots[index]; request != null; request = slots[index]) {
            if (request.is(high, low) && request.instance().equals(instance)
                    && (found < 0 || request.attemptEnded())) {
                found = index;
            }
            index = (index + 1) & mask;
        }
        InFlightRequest request = found < 0 ? null : slots[found];
        if (request != null) {
            removeAt(found);
        }
        return request;
    }

    /** Takes out all attempts of a request. */
    List<InFlightRequest> removeAll(long high, long low) {
        List<InFlightRequest> attempts = new ArrayList<>();
        int mask = slots.length - 1;
        int index = (int) low & mask;
        for (InFlightRequest request = slots[index]; request != null; request = slots[index]) {
            if (request.is(high, low)) {
                attempts.add(request);
            }
            index = (index + 1) & mask;
        }
        attempts.forEach(request -> removeAt(indexOf(request)));
        return attempts;
    }

    void forEach(Consumer<InFlightRequest> action) {
        for (InFlightRequest request : slots) {
            if (request != null) {
                action.accept(request);
            }
        }
    }

    /** Removes the requests that match, and passes each to the action. */
    void removeIf(Predicate<InFlightRequest> wanted, Consumer<InFlightRequest> action) {
        List<InFlightRequest> found = new ArrayList<>();
        for (InFlightRequest request : slots) {
            if (request != null && wanted.test(request)) {
                found.add(request);
            }
        }
        for (InFlightRequest request : found) {
            removeAt(indexOf(request));
            action.accept(request);
        }
    }

    // Finds this object, not an equal one.
    @SuppressWarnings("ReferenceEquality")
    private int indexOf(InFlightRequest wanted) {
        int mask = slots.length - 1;
        int index = (int) wanted.hash() & mask;
        while (slots[index] != wanted) {
            index = (index + 1) & mask;
        }
        return index;
    }

    /** Empties a slot and moves up the entries behind it that linear probing had pushed further. */
    private void removeAt(int removed) {
        int mask = slots.length - 1;
        int gap = removed;
        int index = (gap + 1) & mask;
        for (InFlightRequest request = slots[index]; request != null; request = slots[index]) {
            int home = (int) request.hash() & mask;
            if (((index - home) & mask) >= ((index - gap) & mask)) {
                slots[gap] = request;
                gap = index;
            }
            index = (index + 1) & mask;
        }
        slots[gap] = null;
        size--;
    }

    private void insert(InFlightRequest request) {
        int mask = slots.length - 1;
        int index = (int) request.hash() & mask;
        while (slots[index] != null) {
            index = (index + 1) & mask;
        }
        slots[index] = request;
    }

    private void grow() {
        @Nullable
        InFlightRequest[] before = slots;
        slots = new InFlightRequest[2 * before.length];
        for (InFlightRequest request : before) {
            if (request != null) {
                insert(request);
            }
        }
    }
}
