#!/bin/sh
# Three Parleys on one MariaDB, behind nginx, in a temporary folder that is removed at the end (Ctrl-C).
# Needs the packages mariadb-server and nginx. PORT is that of nginx; the next four are taken, too.
# With NODES=3 the database is a Galera cluster behind haproxy, which also needs galera-4, haproxy and rsync, and PORT + 5 to PORT + 19.
set -eu
cd "$(dirname "$0")/.."
port=${PORT:-9980}
nodes=${NODES:-1}
user= nginx_user=
if [ "$(id -u)" = 0 ]; then
  user=--user=root nginx_user='user root;'
  # The nodes of a cluster copy their files as the user that runs them, which fails for root; so others have to reach the folder.
  [ "$nodes" = 1 ] || { user=--user=mysql; export TMPDIR=/tmp; }
fi
folder=$(mktemp -d)
chmod 755 "$folder"
[ "$user" != --user=mysql ] || chown mysql "$folder"
end() {
  trap - EXIT INT TERM
  touch "$folder/end"
  # The processes first, because they store in the database where their clients are.
  for file in "$folder"/[123]/pid "$folder"/nginx.pid "$folder"/haproxy.pid "$folder"/mariadb?.pid; do
    [ ! -f "$file" ] || kill "$(cat "$file")" 2> "$folder/end.log" || true
    case $file in */3/pid) sleep 1 ;; esac
  done
  wait
  rm -rf "$folder"
}
trap end EXIT
trap 'exit 0' INT TERM
# A moment; shows the log and ends if that was the last of a minute.
waits() {
  turns=$((turns + 1))
  [ $turns -lt 300 ] || { cat "$1" >&2; exit 1; }
  sleep 0.2
}
turns=0
# Starts the command again after some seconds whenever it ends, as systemd would.
keep() {
  seconds=$1
  shift
  until [ -f "$folder/end" ]; do
    "$@" || true
    sleep "$seconds"
  done
}

# The ports of a node: for clients, then for other nodes.
node_port() { [ "$nodes" = 1 ] && echo $((port + 4)) || echo $((port + 4 + $1)); }
cluster_port() { echo $((port + 5 + 3 * $1)); }
cluster() {
  inner=$(cluster_port "$1")
  # The first one begins the cluster, and joins it like the others when it comes back.
  [ -f "$folder/formed" ] && members=127.0.0.1:$(cluster_port 1),127.0.0.1:$(cluster_port 2),127.0.0.1:$(cluster_port 3) || members=
  echo --wsrep-on=on --wsrep-provider=/usr/lib/galera/libgalera_smm.so --wsrep-cluster-address="gcomm://$members" \
    --wsrep-node-name="node$1" --wsrep-node-address="127.0.0.1:$inner" \
    --wsrep-sst-method=rsync --wsrep-sst-donor=node3,node2, --wsrep-sst-receive-address="127.0.0.1:$((inner + 2))" \
    --wsrep-provider-options="base_port=$inner;gmcast.listen_addr=tcp://127.0.0.1:$inner;ist.recv_addr=127.0.0.1:$((inner + 1))" \
    --binlog-format=row --innodb-autoinc-lock-mode=2
}
node() {
  [ "$nodes" = 1 ] && more= || more=$(cluster "$1")
  mariadbd --no-defaults $user --datadir="$folder/rows$1" --tmpdir="$folder" --socket="$folder/socket$1" --pid-file="$folder/mariadb$1.pid" \
    --bind-address=127.0.0.1 --port="$(node_port "$1")" --skip-name-resolve $more
}
for number in $(seq "$nodes"); do
  mariadb-install-db --no-defaults $user --datadir="$folder/rows$number" --auth-root-authentication-method=normal --skip-test-db > "$folder/install.log"
  # The other nodes take 5 s to notice that one is gone, and would stop again for one that is back too soon.
  keep "$([ "$nodes" = 1 ] && echo 0.2 || echo 6)" node "$number" > "$folder/mariadb$number.log" 2>&1 &
  until mariadb --no-defaults --socket="$folder/socket$number" --user=root \
    --execute 'create database if not exists parley character set utf8mb4' 2> "$folder/wait.log"; do
    waits "$folder/mariadb$number.log"
  done
  touch "$folder/formed"
done
if [ "$nodes" != 1 ]; then
  # All connections go to the first node that answers.
  cat > "$folder/haproxy.cfg" << CONF
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen mariadb
  bind 127.0.0.1:$((port + 4))
  default-server check inter 500ms fall 2 rise 2 on-marked-down shutdown-sessions
  server node1 127.0.0.1:$(node_port 1)
  server node2 127.0.0.1:$(node_port 2) backup
  server node3 127.0.0.1:$(node_port 3) backup
CONF
  haproxy -f "$folder/haproxy.cfg" > "$folder/haproxy.log" 2>&1 &
  echo $! > "$folder/haproxy.pid"
fi

export DATABASE_URL="mariadb://root@127.0.0.1:$((port + 4))/parley" PARLEY_UPLOADS="$folder/uploads"
export PARLEY_SECRET="$(head -c 32 /dev/urandom | od -A n -t x1 | tr -d ' \n')"
export PARLEY_PUBLIC_URL="http://127.0.0.1:$port" PARLEY_TRUST_PROXY=on
for number in 1 2 3; do
  PORT=$((port + number)) PARLEY_DATA="$folder/$number" keep 0.2 npm --silent start >> "$folder/$number.log" 2>&1 &
  until [ -f "$folder/$number/pid" ] && curl --silent --fail "http://127.0.0.1:$((port + number))/health" > "$folder/health"; do
    waits "$folder/$number.log"
  done
done

cat > "$folder/nginx.conf" << CONF
daemon off;
$nginx_user
pid $folder/nginx.pid;
error_log $folder/nginx.log;
events {}
http {
  access_log off;
  client_body_temp_path $folder/bodies;
  proxy_temp_path $folder/answers;
  fastcgi_temp_path $folder/unused;
  uwsgi_temp_path $folder/unused;
  scgi_temp_path $folder/unused;
  map \$arg_queue_id \$spread {
    "" \$request_id;
    default \$arg_queue_id;
  }
  upstream parley {
    hash \$spread consistent;
    # No max_fails: whoever comes back is asked at once, and processes that are replaced in turn are never all given up.
    server 127.0.0.1:$((port + 1)) max_fails=0;
    server 127.0.0.1:$((port + 2)) max_fails=0;
    server 127.0.0.1:$((port + 3)) max_fails=0;
  }
  server {
    listen 127.0.0.1:$port;
    client_max_body_size 30m;
    large_client_header_buffers 4 64k;
    location / {
      proxy_pass http://parley;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host \$http_host;
      proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;
      proxy_read_timeout 120s; # a long poll waits up to 54 s
    }
  }
}
CONF
nginx -e "$folder/nginx.log" -c "$folder/nginx.conf" &
until curl --silent --fail "http://127.0.0.1:$port/health" > "$folder/health"; do
  waits "$folder/nginx.log"
done
echo "Three processes answer at http://127.0.0.1:$port; credentials: $folder/1/demo-credentials.json"
echo "Kill one while a client chats; it comes back: $(cat "$folder/1/pid"), $(cat "$folder/2/pid") or $(cat "$folder/3/pid")"
wait $!
