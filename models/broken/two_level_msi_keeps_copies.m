-- paraproof: verdict = violated
-- paraproof: rules = 20
-- paraproof: properties = 4
-- paraproof: violates = Inclusion

-- Broken twin of two_level_msi.m: a cluster gives up a shared copy before its caches have
-- given up theirs.

const
  CLUSTER_NUM : 2;
  NODE_NUM : 2;
  VALUE_NUM : 2;

type
  CLUSTER : scalarset (CLUSTER_NUM);
  NODE : scalarset (NODE_NUM);
  VALUE : scalarset (VALUE_NUM);
  STATE : enum { I, S, M };
  REQUEST : enum { None, WantS, WantM };
  DOWN : enum { Nothing, GiveS, GiveM, Inv };
  -- What a directory and those below it tell each other.
  LINK : record down : DOWN; downVal : VALUE; ack : boolean; ackVal : VALUE; end;
  CACHE : record state : STATE; val : VALUE; link : LINK; end;
  -- has: what the cluster has; writer: whether one of its caches has the only copy.
  LOCAL : record
    has : STATE; val : VALUE; link : LINK; want : REQUEST; asked : boolean;
    serving : REQUEST; cur : NODE; writer : boolean;
  end;

var
  cache : array [CLUSTER] of array [NODE] of CACHE;
  sharer : array [CLUSTER] of array [NODE] of boolean;
  invalid : array [CLUSTER] of array [NODE] of boolean;   -- an invalidation was sent
  local : array [CLUSTER] of LOCAL;
  root : record serving : REQUEST; cur : CLUSTER; exclusive : boolean; val : VALUE; end;
  given : array [CLUSTER] of boolean;
  revoked : array [CLUSTER] of boolean;
  last : VALUE;

ruleset v : VALUE do
  startstate "Init"
    for c : CLUSTER do
      for n : NODE do
        cache[c][n].state := I; cache[c][n].val := v;
        cache[c][n].link.down := Nothing; cache[c][n].link.ack := false;
        cache[c][n].link.downVal := v; cache[c][n].link.ackVal := v;
        sharer[c][n] := false; invalid[c][n] := false;
      end;
      local[c].has := I; local[c].val := v; local[c].asked := false;
      local[c].want := None; local[c].link.down := Nothing; local[c].link.ack := false;
      local[c].link.downVal := v; local[c].link.ackVal := v;
      local[c].serving := None; undefine local[c].cur; local[c].writer := false;
      given[c] := false; revoked[c] := false;
    end;
    root.serving := None; undefine root.cur; root.exclusive := false;
    root.val := v; last := v;
  end;
end;

-- Caches.
ruleset c : CLUSTER; n : NODE do
  alias k : cache[c][n]; l : cache[c][n].link do
    rule "ReceiveS" l.down = GiveS ==>
      l.down := Nothing; k.state := S; k.val := l.downVal;
    end;
    rule "ReceiveM" l.down = GiveM ==>
      l.down := Nothing; k.state := M; k.val := l.downVal;
    end;
    rule "Invalidate" l.down = Inv & !l.ack ==>
      l.down := Nothing; l.ack := true; l.ackVal := k.val; k.state := I;
    end;
    ruleset v : VALUE do
      rule "Write" k.state = M ==>
        k.val := v; last := v;
      end;
    end;
  end;
end;

-- Local directories.
ruleset c : CLUSTER do
  alias d : local[c]; up : local[c].link do
    ruleset n : NODE do
      alias l : cache[c][n].link do
        rule "Load" d.serving = None & cache[c][n].state = I ==>
          d.serving := WantS; d.cur := n;
        end;
        rule "Store" d.serving = None & cache[c][n].state != M ==>
          d.serving := WantM; d.cur := n;
        end;
        rule "SendInv"
          sharer[c][n] & !invalid[c][n] & l.down = Nothing
            & (d.serving = WantM | d.serving = WantS & d.writer | up.down = Inv)
        ==>
          invalid[c][n] := true;
          l.down := Inv;
        end;
        rule "ReceiveAck" l.ack ==>
          l.ack := false;
          if d.writer then d.val := l.ackVal; end;
          sharer[c][n] := false; invalid[c][n] := false; d.writer := false;
        end;
        rule "GrantS" d.serving = WantS & d.cur = n & !d.writer & d.has != I & l.down = Nothing & !invalid[c][n] ==>
          d.serving := None; sharer[c][n] := true;
          l.down := GiveS; l.downVal := d.val;
        end;
        rule "GrantM"
          d.serving = WantM & d.cur = n & d.has = M & l.down = Nothing & forall m : NODE do !sharer[c][m] end
        ==>
          d.serving := None; sharer[c][n] := true; d.writer := true;
          l.down := GiveM; l.downVal := d.val;
        end;
      end;
    end;

    rule "AskS" d.serving = WantS & d.has = I & !d.asked ==>
      d.asked := true; d.want := WantS;
    end;
    rule "AskM" d.serving = WantM & d.has != M & !d.asked ==>
      d.asked := true; d.want := WantM;
    end;
    rule "ClusterReceiveS" up.down = GiveS ==>
      up.down := Nothing; d.has := S; d.val := up.downVal; d.asked := false;
    end;
    rule "ClusterReceiveM" up.down = GiveM ==>
      up.down := Nothing; d.has := M; d.val := up.downVal; d.asked := false;
    end;
    rule "ClusterInvalidate" up.down = Inv & !up.ack & !d.writer ==>
      up.down := Nothing; up.ack := true; up.ackVal := d.val; d.has := I;
    end;
  end;
end;

-- The root.
ruleset c : CLUSTER do
  alias l : local[c].link do
    rule "RootTake" root.serving = None & local[c].want != None ==>
      root.serving := local[c].want; root.cur := c;
      local[c].want := None;
    end;
    rule "RootSendInv"
      given[c] & !revoked[c] & l.down = Nothing & (root.serving = WantM | root.serving = WantS & root.exclusive)
    ==>
      revoked[c] := true;
      l.down := Inv;
    end;
    rule "RootReceiveAck" l.ack ==>
      l.ack := false;
      if root.exclusive then root.val := l.ackVal; end;
      given[c] := false; revoked[c] := false; root.exclusive := false;
    end;
    rule "RootGrantS"
      root.serving = WantS & root.cur = c & !root.exclusive & l.down = Nothing & !revoked[c]
    ==>
      root.serving := None; given[c] := true;
      l.down := GiveS; l.downVal := root.val;
    end;
    rule "RootGrantM"
      root.serving = WantM & root.cur = c & l.down = Nothing & forall d : CLUSTER do !given[d] end
    ==>
      root.serving := None; given[c] := true; root.exclusive := true;
      l.down := GiveM; l.downVal := root.val;
    end;
  end;
end;

invariant "SingleWriter"
  forall c : CLUSTER do forall n : NODE do forall m : NODE do
    n != m & cache[c][n].state = M -> cache[c][m].state = I
  end end end;
invariant "SingleWriterAcross"
  forall c : CLUSTER do forall d : CLUSTER do forall n : NODE do forall m : NODE do
    c != d & cache[c][n].state = M -> cache[d][m].state = I
  end end end end;
invariant "Inclusion"
  forall c : CLUSTER do forall n : NODE do
    (cache[c][n].state != I -> local[c].has != I) & (cache[c][n].state = M -> local[c].has = M)
  end end;
invariant "LastValue"
  forall c : CLUSTER do forall n : NODE do
    cache[c][n].state != I -> cache[c][n].val = last
  end end;
