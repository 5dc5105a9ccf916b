package rirag.root;

import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.elasticsearch.client.internal.node.NodeClient;
import org.elasticsearch.cluster.node.DiscoveryNodes;
import org.elasticsearch.features.NodeFeature;
import org.elasticsearch.plugins.ActionPlugin;
import org.elasticsearch.plugins.Plugin;
import org.elasticsearch.rest.BaseRestHandler;
import org.elasticsearch.rest.RestHandler;
import org.elasticsearch.rest.RestRequest;
import org.elasticsearch.rest.action.RestToXContentListener;

/** Answers {@code GET /} and {@code HEAD /}, by which clients learn what server this is. */
public final class RootPlugin extends Plugin implements ActionPlugin {
    @Override
    public Collection<ActionHandler> getActions() {
        return List.of(new ActionHandler(RootAction.TYPE, RootAction.class));
    }

    @Override
    public Collection<RestHandler> getRestHandlers(
        RestHandlersServices services,
        Supplier<DiscoveryNodes> nodes,
        Predicate<NodeFeature> features
    ) {
        return List.of(new RootHandler());
    }

    private static final class RootHandler extends BaseRestHandler {
        @Override
        public String getName() {
            return "main_action";
        }

        @Override
        public List<Route> routes() {
            return List.of(
                new Route(RestRequest.Method.GET, "/"),
                new Route(RestRequest.Method.HEAD, "/")
            );
        }

        @Override
        protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
            return channel -> client.execute(
                RootAction.TYPE,
                new RootAction.Request(),
                new RestToXContentListener<>(channel)
            );
        }
    }
}
